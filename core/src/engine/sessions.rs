//! Which sessions wrote what is here: what a person chooses from before one is taken back.

use std::collections::BTreeMap;

use crate::{
    engine::{Engine, purge::Behind, scope_or_default},
    error::Error,
    operation::{Page, SessionWritten},
    time::Timestamp,
};

impl Engine {
    /// The sessions that wrote memories of a scope, the latest first, then by name. `limit` and `cursor` are as in
    /// [`Engine::neighbors`].
    ///
    /// # Errors
    /// [`Error::BadName`]; [`Error::OutOfRange`] for a cursor that no page gave.
    pub fn sessions(
        &self,
        scope: Option<&str>,
        limit: Option<i64>,
        cursor: Option<&str>,
    ) -> Result<Page<SessionWritten>, Error> {
        let mut known: BTreeMap<&str, SessionWritten> = BTreeMap::new();
        if let Some(partition) = self.partition(&scope_or_default(scope)?) {
            let behind = Behind::of(partition);
            for (_, memory) in partition.by_id() {
                let source = &memory.source;
                // Who stored it, and who wrote its present text where that is another.
                let stored = source.session.as_deref().map(|name| (name, source.client.as_deref(), memory.created_at));
                let text = source.text_session().map(|name| (name, source.text_client(), memory.valid_from));
                let edited = text.filter(|(name, ..)| Some(*name) != source.session.as_deref());
                // A memory's earlier text is no memory of its own.
                let counts = usize::from(!behind.is_version_of_another(memory));
                for (name, client, at) in stored.into_iter().chain(edited) {
                    let session = known.entry(name).or_insert_with(|| SessionWritten {
                        session: name.to_owned(),
                        client: client.map(str::to_owned),
                        first_at: Timestamp::MAX,
                        last_at: Timestamp::MIN,
                        memories: 0,
                    });
                    session.first_at = session.first_at.min(at);
                    session.last_at = session.last_at.max(at);
                    session.memories += counts;
                }
                if let Some(session) = text.and_then(|(name, ..)| known.get_mut(name)) {
                    session.last_at = session.last_at.max(memory.valid_from);
                }
            }
        }
        let mut sessions: Vec<SessionWritten> = known.into_values().collect();
        sessions.sort_by(|a, b| b.last_at.cmp(&a.last_at).then_with(|| a.session.cmp(&b.session)));
        self.page(sessions, limit, cursor, Some)
    }
}
