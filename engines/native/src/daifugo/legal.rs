//! The legal plays of a hand on a field, as **families**: plays of one form, each a bit of one word.
//!
//! A family's bit `4 * (column - 1) + suit` is the place where its pattern begins: the pair of this suit and the next,
//! say, or the sequence of three cards up from here. Plays can so be counted, and one drawn, without listing them.
use super::cards::{COLUMNS, Cards, JOKER, NATURALS, nth, of_suits};
use super::dice::Dice;
use super::drawing::Room;
use super::field::Field;
use super::play::{Kind, LONE_JOKER, PASS, Play, SEQUENCE_SIZE_MIN};

/// What the plays of a family have in common.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// A card alone; the joker's bit is the lone joker.
    Single,
    /// A pattern of suits, and the joker's suit counted on from the pattern's first one.
    Group(Pattern, Option<u8>),
    /// So many cards; which of them the joker stands for.
    Sequence(u8, Option<u8>),
}

/// Suits of a group that are natural cards, by the suit that they are counted from.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Pattern {
    One,
    /// A suit and the next; four such pairs.
    Neighbours,
    /// A suit and the one after the next; two such pairs.
    Across,
    Three,
    Four,
}

impl Pattern {
    /// Natural cards.
    #[inline(always)]
    pub(super) fn size(self) -> usize {
        match self {
            Pattern::One => 1,
            Pattern::Neighbours | Pattern::Across => 2,
            Pattern::Three => 3,
            Pattern::Four => 4,
        }
    }
}

/// Suits of a pattern by the suit that it begins with.
const PATTERNS: [[u8; 4]; 5] =
    [[1, 2, 4, 8], [0b0011, 0b0110, 0b1100, 0b1001], [5, 10, 0, 0], [0b0111, 0b1110, 0b1101, 0b1011], [15, 0, 0, 0]];
/// Where the joker makes a group larger: the pattern and the joker's suit, by the number of natural cards less one.
const WITH_JOKER: [&[(Pattern, u8)]; 4] = [
    &[(Pattern::One, 1), (Pattern::One, 2), (Pattern::One, 3)],
    &[(Pattern::Neighbours, 2), (Pattern::Neighbours, 3), (Pattern::Across, 1), (Pattern::Across, 3)],
    &[(Pattern::Three, 3)],
    // The fifth card has no suit of its own.
    &[(Pattern::Four, 4)],
];
/// No sequence has more cards: 13, and the joker at one edge.
const SEQUENCE_SIZE_MAX: usize = 14;
/// 5 of natural groups, 9 with a joker, and of each size of sequences one without the joker and one for each place of it.
const FAMILIES_MAX: usize = 14 + SEQUENCE_SIZE_MAX * (SEQUENCE_SIZE_MAX + 3) / 2;

/// Room for the families of a hand; made once and used again.
pub struct Families {
    /// For policies that draw by shares.
    pub(super) room: Room,
    count: usize,
    places: [Cards; FAMILIES_MAX],
    forms: [Form; FAMILIES_MAX],
}

impl Default for Families {
    fn default() -> Families {
        Families { room: Room::default(), count: 0, places: [0; FAMILIES_MAX], forms: [Form::Single; FAMILIES_MAX] }
    }
}

impl Families {
    /// All legal plays of a hand except a pass.
    #[inline]
    pub fn list(&mut self, hand: Cards, field: &Field) {
        self.count = 0;
        match field.top.kind {
            Kind::Pass => {
                self.push(hand, Form::Single);
                self.groups(hand & NATURALS, hand & JOKER != 0, None, 0);
                self.sequences(hand, None, NATURALS << 4 | 15);
            }
            Kind::Single | Kind::Joker => self.push(answering_singles(hand, field), Form::Single),
            Kind::Group => {
                let natural = hand & field.stronger();
                self.groups(natural, hand & JOKER != 0, Some(field.top.size), field.lock);
            }
            Kind::Sequence => {
                let (column, size) = (u32::from(field.top.column), u32::from(field.top.size));
                // Places where an answer may begin, four bits a column from column 0.
                let starts = match (field.revolution, column.checked_sub(size)) {
                    (false, _) => u64::MAX.checked_shl(4 * (column + size)).unwrap_or(0),
                    (true, Some(last)) => (1 << (4 * (last + 1))) - 1,
                    (true, None) => 0,
                };
                let suits = if field.lock == 0 { u64::MAX } else { of_suits(field.lock) << 4 | u64::from(field.lock) };
                self.sequences(hand, Some(size as usize), starts & suits);
            }
        }
    }

    #[inline(always)]
    fn push(&mut self, places: Cards, form: Form) {
        self.places[self.count] = places;
        self.forms[self.count] = form;
        self.count += usize::from(places != 0);
    }

    /// Groups of `size` cards, or of any size; with a lock only those of just its suits.
    #[inline]
    fn groups(&mut self, natural: Cards, joker: bool, size: Option<u8>, lock: u8) {
        let fits = |number| size.is_none_or(|size| size == number);
        let neighbours = natural & next_suit(natural);
        let across = natural & (natural >> 2) & (3 * COLUMNS);
        let mut found = [natural, neighbours, across, 0, 0];
        if neighbours != 0 {
            found[Pattern::Three as usize] = neighbours & next_suit(neighbours);
            found[Pattern::Four as usize] = neighbours & neighbours >> 2 & COLUMNS;
        }
        let mut push = |pattern: Pattern, joker: Option<u8>| {
            let mut places = found[pattern as usize];
            if lock != 0 && places != 0 {
                places &= of_suits(starts_within(pattern, joker, lock));
            }
            self.push(places, Form::Group(pattern, joker));
        };
        if fits(2) {
            push(Pattern::Neighbours, None);
            push(Pattern::Across, None);
        }
        if fits(3) {
            push(Pattern::Three, None);
        }
        if fits(4) {
            push(Pattern::Four, None);
        }
        if joker {
            for (natural_count, families) in (1..).zip(WITH_JOKER) {
                if fits(natural_count + 1) {
                    for &(pattern, suit) in families {
                        push(pattern, Some(suit));
                    }
                }
            }
        }
    }

    /// Sequences of `size` cards, or of any size, that begin at one of `starts` (four bits a column from column 0).
    #[inline]
    fn sequences(&mut self, hand: Cards, size: Option<usize>, starts: u64) {
        // One column up, so that there is room for the joker before the 3s.
        let cards = (hand & NATURALS) << 4;
        let joker = hand & JOKER != 0;
        if !joker {
            let mut run = cards & cards >> 4;
            for number in 3.. {
                run &= cards >> (4 * (number - 1));
                if run == 0 || size.is_some_and(|size| size < number) {
                    return;
                }
                if size.is_none_or(|size| size == number) {
                    self.push(run & starts, Form::Sequence(number as u8, None));
                }
            }
            return;
        }
        // `gaps[i]`: where sequences begin whose card `i`, which the joker stands for, need not be there.
        let mut gaps = [0; SEQUENCE_SIZE_MAX];
        gaps[0] = cards >> 4;
        gaps[1] = cards;
        let mut run = cards & cards >> 4;
        for number in usize::from(SEQUENCE_SIZE_MIN)..=SEQUENCE_SIZE_MAX {
            let next = cards >> (4 * (number - 1));
            let mut any = run;
            gaps[number - 1] = run;
            for gap in &mut gaps[..number - 1] {
                *gap &= next;
                any |= *gap;
            }
            run &= next;
            if any == 0 || size.is_some_and(|size| size < number) {
                return;
            }
            if size.is_none_or(|size| size == number) {
                self.push(run & starts, Form::Sequence(number as u8, None));
                for (gap, &places) in (0..).zip(&gaps[..number]) {
                    self.push(places & starts, Form::Sequence(number as u8, Some(gap)));
                }
            }
        }
    }

    /// Number of plays.
    #[inline]
    #[must_use]
    pub fn plays_count(&self) -> u32 {
        self.places[..self.count].iter().map(|places| places.count_ones()).sum()
    }

    /// Play `number` of the list, which is below `plays_count`.
    #[inline]
    #[must_use]
    pub fn play(&self, mut number: u32) -> Play {
        let mut family = 0;
        loop {
            let count = self.places[family].count_ones();
            if number < count {
                return play(self.forms[family], nth(self.places[family], number));
            }
            number -= count;
            family += 1;
        }
    }

    /// All plays in order.
    #[inline]
    pub fn each(&self, mut visit: impl FnMut(Play)) {
        for (&places, &form) in self.places[..self.count].iter().zip(&self.forms) {
            each_place(places, |place| visit(play(form, place)));
        }
    }

    /// Whether no play is legal.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// All families in order: places and form.
    #[inline(always)]
    pub(super) fn families(&self) -> impl Iterator<Item = (Cards, Form)> {
        self.places[..self.count].iter().copied().zip(self.forms.iter().copied())
    }

    /// The play of a family, by its number, that begins at a place.
    #[inline(always)]
    pub(super) fn play_at(&self, family: usize, place: u32) -> Play {
        play(self.forms[family], place)
    }

    /// One of the legal plays, each as likely; a pass if there is none.
    #[inline]
    pub fn draw(&mut self, hand: Cards, field: &Field, dice: &mut Dice) -> Play {
        if matches!(field.top.kind, Kind::Single | Kind::Joker) {
            let places = answering_singles(hand, field);
            return match places.count_ones() {
                0 => PASS,
                1 => play(Form::Single, places.trailing_zeros()),
                count => play(Form::Single, nth(places, dice.below(count))),
            };
        }
        self.list(hand, field);
        match self.plays_count() {
            0 => PASS,
            count => self.play(dice.below(count)),
        }
    }
}

/// Calls for each card of a set, as a place, from the lowest up.
#[inline(always)]
pub(super) fn each_place(mut places: Cards, mut visit: impl FnMut(u32)) {
    while places != 0 {
        visit(places.trailing_zeros());
        places &= places - 1;
    }
}

/// The cards that answer a single, or a lone joker.
#[inline(always)]
pub(super) fn answering_singles(hand: Cards, field: &Field) -> Cards {
    if field.top.kind == Kind::Joker {
        return hand & super::cards::S3;
    }
    let suits = if field.lock == 0 { NATURALS } else { of_suits(field.lock) };
    hand & (field.stronger() & suits | JOKER)
}

/// For each card, whether the card of the next suit is there (the first suit follows the last).
#[inline(always)]
fn next_suit(cards: Cards) -> Cards {
    (cards >> 1) & (7 * COLUMNS) | (cards << 3) & (8 * COLUMNS)
}

/// The suits that a pattern may begin with so that its suits, the joker's included, are those of the lock.
fn starts_within(pattern: Pattern, joker: Option<u8>, lock: u8) -> u8 {
    let mut found = 0;
    for start in 0..4 {
        found |= u8::from(suits(pattern, start, joker) == lock) << start;
    }
    found
}

/// The suits of a group's natural cards, four bits.
#[inline(always)]
pub(super) fn natural_suits(pattern: Pattern, start: u8) -> u8 {
    PATTERNS[pattern as usize][usize::from(start & 3)]
}

/// The suits of a group, four bits.
#[inline(always)]
pub(super) fn suits(pattern: Pattern, start: u8, joker: Option<u8>) -> u8 {
    let natural = natural_suits(pattern, start);
    match joker {
        Some(suit) if suit < 4 => natural | 1 << ((start + suit) & 3),
        _ => natural,
    }
}

/// The play of a family that begins at a place.
#[inline(always)]
fn play(form: Form, place: u32) -> Play {
    let (column, suit) = ((place / 4) as u8, (place % 4) as u8);
    match form {
        Form::Single => {
            if 1 << place == JOKER {
                LONE_JOKER
            } else {
                Play::single(place)
            }
        }
        Form::Group(pattern, joker) => {
            let natural = natural_suits(pattern, suit);
            let cards = Cards::from(natural) << (4 * column);
            let (size, column, suits) = (natural.count_ones() as u8, column + 1, suits(pattern, suit, joker));
            let Some(joker) = joker else {
                return Play { cards, stands: -1, kind: Kind::Group, size, column, suits };
            };
            let stands = (4 * column + if joker < 4 { (suit + joker) & 3 } else { 4 }) as i8;
            Play { cards: cards | JOKER, stands, kind: Kind::Group, size: size + 1, column, suits }
        }
        Form::Sequence(size, joker) => {
            // Here places count from column 0.
            let lying = (COLUMNS & ((1 << (4 * u32::from(size))) - 1)) << place;
            let suits = 1 << suit;
            let Some(joker) = joker else {
                return Play { cards: lying >> 4, stands: -1, kind: Kind::Sequence, size, column, suits };
            };
            let stands = place as u8 + 4 * joker;
            let cards = (lying & !(1 << stands)) >> 4 | JOKER;
            Play { cards, stands: stands as i8, kind: Kind::Sequence, size, column, suits }
        }
    }
}

/// All legal plays of a hand on a field, each once; no pass.
#[must_use]
pub fn legal_plays(hand: Cards, field: &Field) -> Vec<Play> {
    let mut families = Families::default();
    families.list(hand, field);
    let mut plays = Vec::with_capacity(families.plays_count() as usize);
    families.each(|play| plays.push(play));
    plays
}
