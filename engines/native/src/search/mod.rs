//! What searches share: what they may use (`limits`, `clock`, `budget`), what they answer (`report`), and how Python starts
//! them and gets the answer (`python`, `result`).
pub mod best;
pub mod best_first;
pub mod budget;
pub mod clock;
pub mod limits;
pub mod python;
pub mod report;
pub mod result;
pub mod stop;

pub use budget::Budget;
pub use clock::Clock;
pub use limits::{Context, Limits};
pub use report::{Outcome, Report};
pub use stop::Stop;
