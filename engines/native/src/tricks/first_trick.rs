//! The first trick of a deal: what each pair of cards is worth, if the values of all hands are known.

/// `value` for the place of each card of Left's (rows) and of each of Right's (columns), in descending order of the cards.
/// `owners` marks Left's cards, the highest first, of which `count` are point cards. Cards of one player that follow one
/// another are worth the same when both are point cards or neither is.
pub fn pairs(owners: &[bool], count: usize, value: impl Fn(usize, usize) -> usize) -> Vec<usize> {
    let cards = owners.len() / 2;
    let (left, right): (Vec<usize>, Vec<usize>) = (0..owners.len()).partition(|&place| owners[place]);
    let follows = |hand: &[usize], number: usize| {
        number > 0 && hand[number] == hand[number - 1] + 1 && (hand[number] < count) == (hand[number - 1] < count)
    };
    let mut found = vec![0; cards * cards];
    for (row, &a) in left.iter().enumerate() {
        for (column, &b) in right.iter().enumerate() {
            found[row * cards + column] = if follows(&left, row) {
                found[(row - 1) * cards + column]
            } else if follows(&right, column) {
                found[row * cards + column - 1]
            } else {
                value(a, b)
            };
        }
    }
    found
}

/// What is left of a deal when the cards at two places are gone.
pub fn without(owners: &[bool], a: usize, b: usize) -> Vec<bool> {
    let (high, low) = (a.min(b), a.max(b));
    [&owners[..high], &owners[high + 1..low], &owners[low + 1..]].concat()
}
