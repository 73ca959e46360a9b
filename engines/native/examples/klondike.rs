//! Decides deals of seed 1: `cargo run --release --example klondike -- FIRST LAST [draw=3] [carry=0] [redeals=-1] [back=1] [last=1] [v]`
use _native::deck;
use _native::klondike::decide::{Decide, Schedule};
use _native::klondike::report::{Context, Found};
use _native::klondike::rules::{Column, Position, Rules};
use _native::klondike::state::Game;
use _native::processor::thread_time;
use _native::superpuzz::memory::Budget;
use _native::superpuzz::report::Clock;

fn deal(seed: u64, index: u64) -> Position {
    let cards: Vec<u8> =
        deck::shuffled(seed, index, 52).into_iter().map(|number| number / 13 * 16 + number % 13 + 1).collect();
    let mut columns = Vec::new();
    let mut at = 0;
    for length in 1..=7 {
        columns.push(Column { cards: cards[at..at + length].to_vec(), face_down: length - 1 });
        at += length;
    }
    Position { columns, stock: cards[at..].to_vec(), waste: Vec::new(), foundations: [0; 4], ranks: 13 }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let option = |name: &str, default: i64| {
        let key = format!("{name}=");
        arguments.iter().find_map(|a| a.strip_prefix(&key)).map_or(default, |v| v.parse().expect("a number"))
    };
    let first: u64 = arguments[1].parse().expect("first deal");
    let last: u64 = arguments[2].parse().expect("last deal");
    let redeals = option("redeals", -1);
    let rules = Rules {
        draw: option("draw", 3) as usize,
        redeals: None,
        carry: option("carry", 0) == 1,
        deal_last: option("last", 1) == 1,
        foundation_back: option("back", 1) == 1,
    }
    .limited(u32::try_from(redeals).ok());
    let mut times = Vec::new();
    let (mut won, mut lost, mut states, mut classes, mut members, mut children) = (0, 0, 0, 0, 0, 0);
    for index in first..=last {
        let position = deal(1, index);
        let begin = thread_time();
        let game = Game::new(&position, rules);
        let mut never = || false;
        let mut context = Context {
            budget: Budget::new(2 << 30),
            clock: Clock::busy(option("time", 60) as f64, &mut never),
            states_limit: 0,
            states_count: 0,
        };
        let mut decide = Decide::new(
            &game,
            Schedule {
                first: option("first", 300) as u64,
                after: option("after", 100) as u64,
                limit: option("limit", 20000) as u64,
            },
            &mut context,
        )
        .expect("room");
        let found = decide.search(&mut context);
        let elapsed = (thread_time() - begin).as_secs_f64();
        times.push(elapsed);
        let outcome = match found {
            Ok(Found::Win(_)) => "won",
            Ok(Found::NoWin) => "lost",
            Err(stop) => &format!("{stop:?}"),
        };
        won += u32::from(outcome == "won");
        lost += u32::from(outcome == "lost");
        states += context.states_count;
        classes += decide.classes_count;
        members += decide.members_count;
        children += decide.children_count;
        if elapsed > option("show", 1000) as f64 / 1000.0 {
            println!(
                "{index} {outcome} {:.3} s states {} classes {} members {} children {} peak {} MB reserve {}",
                elapsed,
                context.states_count,
                decide.classes_count,
                decide.members_count,
                decide.children_count,
                context.budget.peak() >> 20,
                decide.reserve.classes_count
            );
        }
    }
    times.sort_by(f64::total_cmp);
    let n = times.len();
    let total: f64 = times.iter().sum();
    println!(
        "deals {n} won {won} lost {lost} mean {:.3} ms median {:.4} ms p99 {:.1} ms max {:.1} ms; states {states} ({:.2} M/s) classes {classes} members {members} children {children}",
        1e3 * total / n as f64,
        1e3 * times[n / 2],
        1e3 * times[n * 99 / 100],
        1e3 * times[n - 1],
        states as f64 / total / 1e6
    );
}
