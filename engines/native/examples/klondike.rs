//! Decides full deals of seed 1 and prints how long it takes, in processor time:
//! `cargo run --release --features pyo3/extension-module --example klondike -- FIRST LAST`, then as needed `draw=1`, `redeals=2`, `carry=1`, `last=0`,
//! `back=0`, `shortest=1`, `states=N`, `easy=100` (see `Schedule`), `time=60` and `show=1` (a line for each deal that takes
//! so many seconds or more).
use _native::klondike::decide::Schedule;
use _native::klondike::rules::{Position, Rules};
use _native::klondike::search::{Mode, search};
use _native::search::{Clock, Limits, Outcome};
use cpu_time::ThreadTime;

const MEMORY_BYTES: u64 = 2 << 30;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str, default: f64| {
        let mut given = arguments.iter().filter_map(|argument| argument.split_once('='));
        given.find(|&(key, _)| key == name).map_or(default, |(_, value)| value.parse().expect("a number"))
    };
    let first: u64 = arguments[0].parse().expect("first deal");
    let last: u64 = arguments[1].parse().expect("last deal");
    let rules = Rules {
        draw: option("draw", 3.0) as usize,
        redeals: None,
        carry: option("carry", 0.0) == 1.0,
        deal_last: option("last", 1.0) == 1.0,
        foundation_back: option("back", 1.0) == 1.0,
    }
    .limited(Some(option("redeals", -1.0)).filter(|&redeals| redeals >= 0.0).map(|redeals| redeals as u32));
    let mode = if option("shortest", 0.0) == 1.0 {
        Mode::Shortest
    } else {
        Mode::Decide(Schedule { easy: option("easy", 100.0) as u64, ..Schedule::default() })
    };
    let mut times = Vec::new();
    let mut counts = Vec::new();
    let (mut won_count, mut lost_count, mut states_count, mut peak_bytes) = (0, 0, 0, 0);
    for index in first..=last {
        let position = Position::random(1, index);
        let mut never = || false;
        let begin = ThreadTime::now();
        let clock = Clock::new(option("time", 60.0), &mut never);
        let limits = Limits { states: option("states", 0.0) as u64, memory_bytes: MEMORY_BYTES, clock };
        let report = search(&position, rules, mode, limits).expect("nobody interrupts");
        let elapsed_s = begin.elapsed().as_secs_f64();
        times.push(elapsed_s);
        counts.push(report.states_count);
        won_count += u32::from(report.outcome == Outcome::Won);
        lost_count += u32::from(report.outcome == Outcome::Lost);
        states_count += report.states_count;
        peak_bytes = peak_bytes.max(report.peak_bytes);
        if elapsed_s >= option("show", 1.0) {
            println!(
                "{index} {:?} {:?} {elapsed_s:.3} s, {} states, {} moves, {} MB",
                report.outcome,
                report.limit,
                report.states_count,
                report.moves.len(),
                report.peak_bytes >> 20
            );
        }
    }
    times.sort_by(f64::total_cmp);
    counts.sort_unstable();
    let total: f64 = times.iter().sum();
    println!(
        "{} deals, {won_count} won, {lost_count} lost; mean {:.3} ms, median {:.4} ms, p99 {:.1} ms, max {:.1} ms; \
         {:.2} M states/s, median {} states, {} MB",
        times.len(),
        1e3 * total / times.len() as f64,
        1e3 * times[times.len() / 2],
        1e3 * times[times.len() * 99 / 100],
        1e3 * times[times.len() - 1],
        states_count as f64 / total / 1e6,
        counts[counts.len() / 2],
        peak_bytes >> 20
    );
}
