//! Builds a two-board table in memory on one thread and says where the time goes: `build STACKS CARDS`.
use _native::stackgame::table::{Expander, Rules, evaluate};
use _native::stackgame::two_boards::TwoBoards;
use _native::storage::block::BlockKey;
use _native::storage::reader::Reader;
use _native::storage::values::ValueType;
use std::hint::black_box;
use std::time::Duration;

/// Time that this thread has spent on a processor, so that other work on the machine hardly counts.
fn now() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("a Linux kernel");
    Duration::from_nanos(text.split(' ').next().and_then(|n| n.parse().ok()).expect("nanoseconds"))
}

fn main() {
    let arguments: Vec<usize> = std::env::args().skip(1).map(|a| a.parse().expect("a number")).collect();
    let (stacks, cards) = (arguments[0], arguments[1]);
    let start = now();
    let game = TwoBoards::new(stacks, 2, cards).expect("places of 64 bits");
    println!("tables {:.3} s", (now() - start).as_secs_f64());
    let mut layers = vec![vec![game.place(&game.start())]];
    let (mut expanding, mut sorting) = (Duration::ZERO, Duration::ZERO);
    for layer in (2..=2 * cards).rev() {
        let mut expander = Expander::new(game.key_bits(layer - 1), 1 << 24);
        let begun = now();
        expander.push(&game, layer, layers.last().expect("a layer"));
        expanding += now() - begun;
        let begun = now();
        let next = expander.take();
        sorting += now() - begun;
        layers.push(next);
    }
    let states: usize = layers.iter().map(Vec::len).sum();
    println!("{states} states; layers {:?}", layers.iter().map(Vec::len).collect::<Vec<_>>());
    let rate = |time: Duration| time.as_nanos() as f64 / states as f64;
    let (mut evaluating, mut encoding, mut generating, mut bytes) = (Duration::ZERO, Duration::ZERO, Duration::ZERO, 0);
    let mut successors = 0u64;
    let mut below: Option<Reader<u64, Vec<u8>>> = None;
    for (layer, places) in layers.iter().rev().enumerate().map(|(c, p)| (c + 1, p)) {
        let begun = now();
        let mut walker = game.walker(layer);
        let mut sum = 0u64;
        for place in places {
            game.expand(&mut walker, layer, place, |_, next| {
                successors += 1;
                sum ^= next;
            });
        }
        black_box(sum);
        generating += now() - begun;
        let begun = now();
        let values = evaluate(&game, layer, places, below.as_ref()).expect("a full layer");
        evaluating += now() - begun;
        let begun = now();
        let bits = game.key_bits(layer);
        let parts = places.chunks(u64::STATES).zip(values.chunks(u64::STATES));
        let blocks: Vec<Vec<u8>> = parts.map(|(p, v)| u64::encode(p, Some(v), ValueType::F32, bits)).collect();
        bytes += blocks.iter().map(Vec::len).sum::<usize>();
        encoding += now() - begun;
        below = Some(Reader::new(bits, blocks).expect("blocks in order"));
        if layer == 2 * cards {
            println!("p_start {}", values[0]);
        }
    }
    println!(
        "{:.2} successors a state, {:.2} bytes a state",
        successors as f64 / states as f64,
        bytes as f64 / states as f64
    );
    println!(
        "ns a state: expand {:.0} (sort {:.0}), evaluate {:.0}, encode {:.0}; generating alone {:.0}",
        rate(expanding + sorting),
        rate(sorting),
        rate(evaluating),
        rate(encoding),
        rate(generating)
    );
    let total = expanding + sorting + evaluating + encoding;
    println!("{:.0} states/s in all", states as f64 / total.as_secs_f64());
}
