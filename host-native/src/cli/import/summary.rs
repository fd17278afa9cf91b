//! What an import did, and where what it brought stands now.

use std::collections::{BTreeMap, BTreeSet};

use ebbtrace_core::{Resolution, Tier};
use serde::Serialize;

use super::{
    super::{
        screen::{Ink, Screen, clean, count},
        write::left_out,
    },
    Service, ServiceError,
};

/// How many notices a person is shown.
const NOTICES: usize = 20;

/// What an import did.
#[derive(Debug, Default, Serialize)]
pub(super) struct Summary {
    pub(super) files: usize,
    pub(super) records: usize,
    pub(super) created: usize,
    pub(super) reinforced: usize,
    pub(super) merged: usize,
    pub(super) replaced: usize,
    pub(super) outdated: usize,
    pub(super) updated: usize,
    pub(super) unchanged: usize,
    pub(super) archived: usize,
    pub(super) edges: usize,
    /// Symbolic links out of the imported folder, which were passed over.
    pub(super) outside: usize,
    /// Secrets that were left out of what is stored.
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) redacted: usize,
    /// The tiers, now, of what was stored or changed and is current.
    pub(super) tiers: BTreeMap<&'static str, usize>,
    pub(super) notices: Vec<String>,
}

/// Whether there is nothing to say.
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// What an import stored or changed: the ids of each scope.
pub(super) type Arrived = BTreeMap<Option<String>, BTreeSet<String>>;

impl Summary {
    /// Counts one memory.
    pub(super) fn count(&mut self, resolution: Resolution) {
        *match resolution {
            Resolution::Created => &mut self.created,
            Resolution::Reinforced => &mut self.reinforced,
            Resolution::Merged => &mut self.merged,
            Resolution::Replaced => &mut self.replaced,
            Resolution::Updated => &mut self.updated,
            Resolution::Outdated => &mut self.outdated,
            Resolution::Echo => &mut self.unchanged,
        } += 1;
    }

    /// Counts where what arrived stands.
    pub(super) fn place(&mut self, service: &Service, arrived: &Arrived) -> Result<(), ServiceError> {
        self.tiers = Tier::ALL.iter().map(|tier| (tier.as_str(), 0)).collect();
        for (scope, ids) in arrived {
            let tiers = service.tiers(scope.as_deref())?;
            for tier in ids.iter().filter_map(|id| tiers.get(id.as_str())) {
                *self.tiers.entry(tier.as_str()).or_default() += 1;
            }
        }
        Ok(())
    }

    /// The summary for a person. `dated`: whether files gave their own times, which another run could leave out.
    pub(super) fn text(&self, screen: &Screen, dated: bool) -> String {
        let mut parts = Vec::new();
        for (number, one, many) in [
            (self.records, "new or changed record", "new or changed records"),
            (self.created, "created", "created"),
            (self.updated, "updated", "updated"),
            (self.reinforced, "reinforced", "reinforced"),
            (self.merged, "merged", "merged"),
            (self.replaced, "replaced an older one", "replaced older ones"),
            (
                self.outdated,
                "kept as history, since a later one says otherwise",
                "kept as history, since later ones say otherwise",
            ),
            (self.unchanged, "unchanged", "unchanged"),
            (
                self.archived,
                "archived, since its file no longer says it",
                "archived, since their files no longer say them",
            ),
            (self.edges, "link made", "links made"),
            (
                self.outside,
                "passed over, since it leads out of the folder",
                "passed over, since they lead out of the folder",
            ),
        ] {
            if number > 0 {
                parts.push(count(number, one, many));
            }
        }
        let what = if parts.is_empty() { "nothing new".to_owned() } else { parts.join(", ") };
        let redacted = left_out(self.redacted);
        let mut text = format!("Imported from {}: {what}.{redacted}\n", count(self.files, "file", "files"));
        text.push_str(&self.standing(screen, dated));
        let label = screen.paint(Ink::Yellow, "note:");
        for notice in self.notices.iter().take(NOTICES) {
            text.push_str(&format!("{label} {}\n", clean(notice, false)));
        }
        if self.notices.len() > NOTICES {
            text.push_str(&format!("{label} {} more; --json shows all\n", self.notices.len() - NOTICES));
        }
        text
    }

    /// Where what arrived stands, and what that means. Where all of it is hot there is nothing to say.
    fn standing(&self, screen: &Screen, dated: bool) -> String {
        let number = |tier: Tier| self.tiers.get(tier.as_str()).copied().unwrap_or_default();
        if Tier::ALL.iter().all(|tier| *tier == Tier::Hot || number(*tier) == 0) {
            return String::new();
        }
        let tiers = Tier::ALL.map(|tier| format!("{} {}", number(tier), screen.tier(tier)));
        let mut text = format!("By their age they stand at: {}.\n", tiers.join(", "));
        if number(Tier::Cold) + number(Tier::Frozen) > 0 {
            text.push_str(
                "Cold and frozen ones are archived, not lost: `ebbtrace recall QUERY --depth frozen` finds them,\n\
                 and what is found is in use again.",
            );
            if dated {
                text.push_str(" To count them as used today instead, import again with --touch.");
            }
            text.push('\n');
        }
        text
    }
}
