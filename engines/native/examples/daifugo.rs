//! Measures the core of Daihinmin in processor time of one thread:
//! `cargo run --release --features pyo3/extension-module --example daifugo`.
use _native::daifugo::cards::CARDS_COUNT;
use _native::daifugo::dice::Dice;
use _native::daifugo::knowledge::{Gifts, Knowledge};
use _native::daifugo::legal::Families;
use _native::daifugo::players::Player;
use _native::daifugo::players::mc::{Mc, Options};
use _native::daifugo::playout::{Policy, play_out};
use _native::daifugo::position::{Position, deal};
use _native::daifugo::table::points;
use _native::daifugo::tournament::Tournament;
use _native::daifugo::worlds::{Generator, Worlds};
use _native::deck;
use _native::search::Clock;
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
fn playouts(name: &str, generator: &Generator, policy: &Policy, count: u32) {
    let position = start(1);
    let knowledge = Knowledge {
        seat: position.table.turn,
        hand: position.hand(),
        counts: position.hands.map(|hand| hand.count_ones() as u8),
        gone: 0,
        table: position.table,
        turns: &[],
        leader: Some(position.table.turn),
        before: None,
        gifts: Gifts::default(),
    };
    let (mut families, mut dice) = (Families::default(), Dice::new(1));
    let mut worlds = Worlds::new(generator, &knowledge);
    let (begin, mut points) = (ThreadTime::now(), 0u64);
    for _ in 0..count {
        let mut world = knowledge.position(worlds.deal(&mut dice));
        points += u64::from(play_out(&mut world, knowledge.seat, policy, &mut families, &mut dice));
    }
    let rate = f64::from(count) / begin.elapsed().as_secs_f64();
    println!("{name}: {rate:.0} playouts/s, mean score {:.3}", points as f64 / f64::from(count));
}

/// A tournament; points a game of each player.
fn games(name: &str, mut players: [Player; 5], count: u64) {
    let tournament = Tournament { seed: 1, seat_period: 3, rank_period: 100 };
    let (mut never, mut totals, mut turns_count) = (|| false, [0u32; 5], 0);
    let begin = ThreadTime::now();
    let played = tournament.play(0, count, &mut players, &mut Clock::new(0.0, &mut never), |setting, game| {
        turns_count += game.turns.len();
        for (rank, &seat) in game.finished.iter().enumerate() {
            totals[usize::from(setting.seats[usize::from(seat)])] += points(rank);
        }
    });
    played.expect("nobody interrupts");
    let elapsed_s = begin.elapsed().as_secs_f64();
    let playouts: u64 = players.iter().map(Player::playouts_count).sum();
    println!(
        "{name}: {:.1} games/s, {:.1} turns a game, {:.0} playouts/s, points a game {:.3?}",
        count as f64 / elapsed_s,
        turns_count as f64 / count as f64,
        playouts as f64 / elapsed_s,
        totals.map(|total| f64::from(total) / count as f64)
    );
}

fn mc(generator: Generator, playouts: u32) -> Player {
    let options = Options { exchange_playouts: playouts / 5, ..Options::paper(playouts, generator) };
    Player::Mc(Box::new(Mc::new(options)))
}

fn rule() -> Player {
    Player::Rule(Box::default())
}

fn main() {
    legal_plays();
    playouts("Rand", &Generator::Rand, &Policy::Uniform, 400_000);
    playouts("Rand/D", &Generator::RandD, &Policy::Uniform, 400_000);
    playouts("exchange", &Generator::Exchange, &Policy::Uniform, 400_000);
    playouts("Rand, rule-based policy", &Generator::Rand, &Policy::Rule, 40_000);
    games("five rule", std::array::from_fn(|_| rule()), 20_000);
    let random = || Player::Random(Box::default());
    games("one rule, four random", [rule(), random(), random(), random(), random()], 5_000);
    games("one mc (Rand, 1500), four rule", [mc(Generator::Rand, 1500), rule(), rule(), rule(), rule()], 200);
}
