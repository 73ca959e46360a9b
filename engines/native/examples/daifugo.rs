//! Measures the core of Daihinmin in processor time of one thread:
//! `cargo run --release --features pyo3/extension-module --example daifugo`.
use _native::daifugo::cards::{ALL, CARDS_COUNT, each};
use _native::daifugo::dice::{Dice, Draws};
use _native::daifugo::legal::Families;
use _native::daifugo::playout::{Policy, play_out, play_to_end};
use _native::daifugo::position::{Position, deal};
use _native::deck;
use cpu_time::ThreadTime;
use std::hint::black_box;

fn start(index: u64) -> Position {
    let deck: [u8; CARDS_COUNT] = deck::shuffled(1, index, CARDS_COUNT).try_into().expect("53 cards");
    Position::start(deal(&deck, 0))
}

/// Positions of random games, as (hand, field).
fn legal_plays() {
    let mut cases = Vec::new();
    let (mut families, mut dice) = (Families::default(), Dice::new(1));
    for index in 0..200 {
        let mut position = start(index);
        while !position.table.is_over() {
            cases.push((position.hand(), position.table.field));
            let play = families.draw(position.hand(), &position.table.field, &mut dice);
            position.play(&play);
        }
    }
    let (begin, mut plays_count, mut checksum) = (ThreadTime::now(), 0u64, 0);
    for _ in 0..200 {
        for (hand, field) in &cases {
            families.list(*hand, field);
            families.each(|play| {
                plays_count += 1;
                checksum ^= play.cards ^ play.stands as u64;
            });
        }
    }
    let elapsed_s = begin.elapsed().as_secs_f64();
    black_box(checksum);
    println!(
        "{} positions: {:.1} M plays/s, {:.1} M positions/s",
        cases.len(),
        plays_count as f64 / elapsed_s / 1e6,
        200.0 * cases.len() as f64 / elapsed_s / 1e6
    );
}

/// Playouts of a first turn, the hidden cards dealt anew for each.
fn playouts() {
    const COUNT: u32 = 400_000;
    let position = start(1);
    let seat = position.table.turn;
    let own = position.hand();
    let mut unseen: Vec<u8> = each(ALL & !own).map(|card| card.trailing_zeros() as u8).collect();
    let (mut families, mut dice) = (Families::default(), Dice::new(1));
    for to_end in [false, true] {
        let (begin, mut points) = (ThreadTime::now(), 0u64);
        for _ in 0..COUNT {
            let mut world = position;
            for number in (1..unseen.len()).rev() {
                unseen.swap(number, Draws::new(&mut dice).below(number as u32 + 1) as usize);
            }
            let mut at = 0;
            for other in 0..5 {
                if other != usize::from(seat) {
                    let count = position.hands[other].count_ones() as usize;
                    world.hands[other] = unseen[at..at + count].iter().fold(0, |hand, &card| hand | 1 << card);
                    at += count;
                }
            }
            if to_end {
                play_to_end(&mut world, &mut families, &mut dice);
            } else {
                points += u64::from(play_out(&mut world, seat, Policy::Uniform, &mut families, &mut dice));
            }
        }
        let rate = f64::from(COUNT) / begin.elapsed().as_secs_f64();
        println!(
            "playouts {}: {rate:.0}/s, mean {:.3}",
            if to_end { "to the end" } else { "to the own end" },
            points as f64 / f64::from(COUNT)
        );
    }
}

fn main() {
    legal_plays();
    playouts();
}
