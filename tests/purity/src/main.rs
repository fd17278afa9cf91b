//! Calls every entrance of the core, so that nothing of it is left out when this is linked: built for
//! wasm32-unknown-unknown, the module shows what the core asks of its surroundings. It must import nothing.

use std::{hint::black_box, sync::Arc};

use ebbtrace_core::{
    Channel, Config, ConnectInput, Decision, Engine, Error, JournalEntry, Moment, RecallInput, Record, RememberInput,
    Revision, Staged, StaticModel, UpdateInput,
};

fn main() {
    let model = StaticModel::load(black_box(Vec::<u8>::new())).ok().map(Arc::new);
    let mut opener = Engine::opener(Config::default(), model);
    black_box(Vec::<Record>::new()).into_iter().for_each(|record| opener.record(record));
    let mut engine = opener.finish(black_box(Revision(0)));
    let moment = black_box(Moment::new(0, 0));
    let (scope, id) = (black_box(Some("default")), black_box("a"));
    let entries = [
        entry(engine.stage_remember(&black_box(RememberInput::default()), moment)),
        entry(engine.stage_recall(&black_box(RecallInput::default()), moment)),
        entry(engine.stage_update(&black_box(UpdateInput::default()), moment)),
        entry(engine.stage_connect(&black_box(ConnectInput::default()), moment)),
        entry(engine.stage_reinforce(scope, id, moment)),
        entry(engine.stage_forget(scope, id, black_box(None), moment)),
        entry(engine.stage_pin(scope, id, black_box(true), moment)),
        entry(engine.stage_restore(scope, id, moment)),
        entry(engine.stage_maintain(scope, black_box(false), moment)),
        entry(engine.stage_decide(scope, id, black_box(Decision::Approve), Channel::Terminal, moment)),
        entry(engine.stage_import(black_box(Vec::new()), moment)),
    ];
    entries.iter().flatten().for_each(|entry| engine.apply(entry));
    black_box(engine.find(scope, id).ok());
    black_box(engine.activation(scope, id, moment.now).ok());
    black_box(engine.neighbors(scope, id, None, None, None, moment.now).ok());
    black_box(engine.review_queue(scope, None, None, moment.now).ok());
    black_box(engine.stats(scope, moment.now).ok());
    black_box(engine.tiers(scope, moment.now).ok());
    black_box(engine.forecast(scope, id, moment.now).ok());
    black_box((engine.records(scope).count(), engine.scopes(), engine.revision(), engine.config()));
}

fn entry<T>(staged: Result<Staged<T>, Error>) -> Option<JournalEntry> {
    staged.ok().map(|staged| black_box(staged).entry)
}
