//! Positions in each of which one particular thing is in the way.
use super::super::rules::{Column, Position, Rules};
use super::*;

const RULES: Rules = Rules { draw: 3, redeals: Some(0), carry: false, deal_last: true, foundation_back: false };

fn is_blocked(stock: &[u8], rules: Rules) -> bool {
    // C2 lies on D1; it has to be founded, after C1.
    let columns = vec![Column { cards: vec![0x11, 0x02], face_down: 1 }];
    let position = Position { columns, stock: stock.to_vec(), waste: Vec::new(), foundations: [0, 0, 3, 3], ranks: 3 };
    position.check().expect("a position");
    let game = Game::new(&position, rules);
    Blocked::new(&game).holds(&game, &game.start())
}

/// C1 lies below D2 and D3, which ask for D1.
#[test]
fn in_the_last_pass_a_card_waits_for_those_dealt_with_it() {
    let stock = [0x01, 0x12, 0x13, 0x03];
    assert!(is_blocked(&stock, RULES));
    assert!(!is_blocked(&stock, Rules { draw: 1, ..RULES }));
    assert!(!is_blocked(&stock, Rules { redeals: Some(1), ..RULES }));
    assert!(!is_blocked(&stock, Rules { redeals: None, ..RULES }));
    // The last of its three, or of the cards that are left.
    assert!(!is_blocked(&[0x12, 0x13, 0x01, 0x03], RULES));
    assert!(!is_blocked(&[0x12, 0x13, 0x03, 0x01], RULES));
}
