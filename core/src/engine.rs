//! The engine: the records of every scope, the indexes over them, and the operations.

use crate::{
    change::{Change, JournalEntry, Revision, Staged},
    config::Config,
    error::Error,
    operation::{
        ConnectInput, Connected, Decided, Decision, Forecast, Maintained, Neighbor, Page, RecallInput, Recalled,
        RememberInput, Remembered, ReviewItem, Stats, Touched, UpdateInput,
    },
    record::{Memory, Record},
    static_model::StaticModel,
    time::{Moment, Timestamp},
};
use std::sync::Arc;

/// stub
pub struct Engine {}
/// stub
pub struct Opener {}
#[allow(unused_variables, missing_docs)]
impl Opener {
    pub fn record(&mut self, record: Record) {
        todo!()
    }
    pub fn finish(self, revision: Revision) -> Engine {
        todo!()
    }
}
#[allow(unused_variables, missing_docs)]
impl Engine {
    pub fn opener(config: Config, model: Option<Arc<StaticModel>>) -> Opener {
        todo!()
    }
    pub fn new(config: Config, model: Option<Arc<StaticModel>>) -> Self {
        todo!()
    }
    pub fn apply(&mut self, entry: &JournalEntry) {
        todo!()
    }
    pub fn revision(&self) -> Revision {
        todo!()
    }
    pub fn config(&self) -> &Config {
        todo!()
    }
    pub fn records(&self, scope: Option<&str>) -> Box<dyn Iterator<Item = Record> + '_> {
        todo!()
    }
    pub fn find(&self, scope: Option<&str>, id: &str) -> Result<&Memory, Error> {
        todo!()
    }
    pub fn memory(&self, scope: &str, id: &str) -> Option<&Memory> {
        todo!()
    }
    pub fn scopes(&self) -> Vec<String> {
        todo!()
    }
    pub fn stage_remember(&self, input: &RememberInput, moment: Moment) -> Result<Staged<Remembered>, Error> {
        todo!()
    }
    pub fn stage_recall(&self, input: &RecallInput, moment: Moment) -> Result<Staged<Recalled>, Error> {
        todo!()
    }
    pub fn stage_update(&self, input: &UpdateInput, moment: Moment) -> Result<Staged<Touched>, Error> {
        todo!()
    }
    pub fn stage_connect(&self, input: &ConnectInput, moment: Moment) -> Result<Staged<Connected>, Error> {
        todo!()
    }
    pub fn stage_reinforce(&self, scope: Option<&str>, id: &str, moment: Moment) -> Result<Staged<Touched>, Error> {
        todo!()
    }
    pub fn stage_forget(
        &self,
        scope: Option<&str>,
        id: &str,
        reason: Option<&str>,
        moment: Moment,
    ) -> Result<Staged<Touched>, Error> {
        todo!()
    }
    pub fn stage_pin(
        &self,
        scope: Option<&str>,
        id: &str,
        pinned: bool,
        moment: Moment,
    ) -> Result<Staged<Touched>, Error> {
        todo!()
    }
    pub fn stage_restore(&self, scope: Option<&str>, id: &str, moment: Moment) -> Result<Staged<Touched>, Error> {
        todo!()
    }
    pub fn stage_maintain(
        &self,
        scope: Option<&str>,
        dry_run: bool,
        moment: Moment,
    ) -> Result<Staged<Maintained>, Error> {
        todo!()
    }
    pub fn stage_decide(
        &self,
        scope: Option<&str>,
        id: &str,
        decision: Decision,
        moment: Moment,
    ) -> Result<Staged<Decided>, Error> {
        todo!()
    }
    /// All or nothing; records that are there already, equal, are passed over. Outcome: how many were taken in.
    pub fn stage_import(&self, records: Vec<Record>, moment: Moment) -> Result<Staged<usize>, Error> {
        todo!()
    }
    pub fn neighbors(
        &self,
        scope: Option<&str>,
        id: &str,
        depth: Option<i64>,
        limit: Option<i64>,
        cursor: Option<&str>,
        now: Timestamp,
    ) -> Result<Page<Neighbor>, Error> {
        todo!()
    }
    pub fn review_queue(
        &self,
        scope: Option<&str>,
        limit: Option<i64>,
        cursor: Option<&str>,
        now: Timestamp,
    ) -> Result<Page<ReviewItem>, Error> {
        todo!()
    }
    pub fn stats(&self, scope: Option<&str>, now: Timestamp) -> Result<Stats, Error> {
        todo!()
    }
    pub fn forecast(&self, scope: Option<&str>, id: &str, now: Timestamp) -> Result<Forecast, Error> {
        todo!()
    }
}
