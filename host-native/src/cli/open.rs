//! From the options to a memory that is open.

use ebbtrace_core::{Scope, Timestamp};

use crate::{
    clock::{Clock, FixedClock, SystemClock},
    service::{Options, Service},
    store::{Store, StoreError, StoreKind, open_store},
};

use super::{
    Call,
    args::{self, EmbedderKind, Global},
    failure::Failure,
    instant,
    screen::Screen,
};

/// Opens the memory that the options name.
pub(super) fn call(global: &Global, screen: Screen) -> Result<Call, Failure> {
    let system = SystemClock.moment().now;
    let fixed = global.now.as_deref().map(|text| instant::parse("now", text, system)).transpose()?;
    let scope = scope(global)?;
    let service = service(global, fixed)?;
    Ok(Call { service, scope, screen, now: fixed.unwrap_or(system) })
}

/// The scope that was asked for, by option or by environment.
fn scope(global: &Global) -> Result<Option<String>, Failure> {
    let asked = global.scope.clone().or_else(|| std::env::var("EBBTRACE_SCOPE").ok().filter(|scope| !scope.is_empty()));
    if let Some(scope) = &asked {
        Scope::parse("scope", scope)?;
    }
    Ok(asked)
}

fn service(global: &Global, fixed: Option<Timestamp>) -> Result<Service, Failure> {
    let clock: Box<dyn Clock> = match fixed {
        Some(now) => Box::new(FixedClock(now)),
        None => Box::new(SystemClock),
    };
    let mut options = Options { clock, ..Options::new(store(global)?) };
    if global.embedder == EmbedderKind::None {
        options.model = None;
    }
    Ok(Service::open(options)?)
}

fn store(global: &Global) -> Result<Box<dyn Store>, StoreError> {
    let kind = match global.store {
        args::StoreKind::Sqlite => StoreKind::Sqlite,
        args::StoreKind::Memory => StoreKind::Memory,
    };
    open_store(kind, global.db.as_deref())
}

/// Serves an agent over stdin and stdout until it hangs up.
pub(super) fn serve(global: &Global) -> Result<(), Failure> {
    Ok(())
}
