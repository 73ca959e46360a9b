//! Builds a two-board table in memory on one thread and says where the time goes: `build STACKS CARDS`.
use _native::block::{BlockKey, ValueType};
use _native::reader::Reader;
use _native::stackgame::table::{Expander, Rules, evaluate};
use _native::stackgame::two_boards::TwoBoards;
use std::hint::black_box;
use std::time::{Duration, Instant};

fn main() {
    let arguments: Vec<usize> = std::env::args().skip(1).map(|a| a.parse().expect("a number")).collect();
    let (stacks, cards) = (arguments[0], arguments[1]);
    let start = Instant::now();
    let game = TwoBoards::new(stacks, 2, cards);
    println!("tables {:.3} s", start.elapsed().as_secs_f64());
    let mut layers = vec![vec![game.place(&game.start())]];
    let (mut expanding, mut sorting) = (Duration::ZERO, Duration::ZERO);
    for layer in (2..=2 * cards).rev() {
        let mut expander = Expander::new(game.key_bits(layer - 1), 1 << 24);
        let begun = Instant::now();
        expander.push(&game, layer, layers.last().expect("a layer"));
        expanding += begun.elapsed();
        let begun = Instant::now();
        let next = expander.take();
        sorting += begun.elapsed();
        layers.push(next);
    }
    let states: usize = layers.iter().map(Vec::len).sum();
    println!("{states} states; layers {:?}", layers.iter().map(Vec::len).collect::<Vec<_>>());
    let rate = |time: Duration| time.as_nanos() as f64 / states as f64;
    let (mut evaluating, mut encoding, mut generating, mut bytes) = (Duration::ZERO, Duration::ZERO, Duration::ZERO, 0);
    let mut successors = 0u64;
    let mut below: Option<Reader<u64, Vec<u8>>> = None;
    for (layer, places) in layers.iter().rev().enumerate().map(|(c, p)| (c + 1, p)) {
        let begun = Instant::now();
        let mut sum = 0u64;
        for place in places {
            game.successors(layer, place, |_, _, next| {
                successors += 1;
                sum ^= next;
            });
        }
        black_box(sum);
        generating += begun.elapsed();
        let begun = Instant::now();
        let values = evaluate(&game, layer, places, below.as_ref()).expect("a full layer");
        evaluating += begun.elapsed();
        let begun = Instant::now();
        let bits = game.key_bits(layer);
        let parts = places.chunks(u64::STATES).zip(values.chunks(u64::STATES));
        let blocks: Vec<Vec<u8>> = parts.map(|(p, v)| u64::encode(p, Some(v), ValueType::F32, bits)).collect();
        bytes += blocks.iter().map(Vec::len).sum::<usize>();
        encoding += begun.elapsed();
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
