"""A stack-game state's cards in the fewest possible chains, for people to read."""

from __future__ import annotations

from engines.stackgame.rules import State


def fewest_chains(state: State) -> list[list[int]]:
    """The cards of a state in the fewest possible chains, the longest first; among all such ways, one with the fewest
    relations across chains.
    """
    follower = _followers(state)
    firsts = [card for card in range(state.cards_count) if card not in follower.values()]
    found = []
    for card in firsts:
        chain = [card]
        while chain[-1] in follower:
            chain.append(follower[chain[-1]])
        found.append(chain)
    return sorted(found, key=lambda chain: -len(chain))


def _followers(state: State) -> dict[int, int]:
    """The next card in its chain for each card that has one.

    The fewest chains are a largest matching of cards with later cards. Two cards directly after each other
    need a relation unless they are so in a chain: a matched pair costs 1 unless it is such a pair.
    Each round matches one more card, in the cheapest way (a shortest augmenting path).
    """
    cards = range(state.cards_count)
    covered = [directly_before(state, card) for card in cards]
    after = [[other for other in cards if state.before[other] >> card & 1] for card in cards]
    follower: dict[int, int] = {}
    while True:
        leader = {later: card for card, later in follower.items()}
        cost = {card: 0 for card in cards if card not in follower}
        previous: dict[int, int] = {}
        ends: list[tuple[int, int, int]] = []
        for _ in cards:  # Bellman and Ford: as many times as a path can be long
            ends = []
            for card, so_far in list(cost.items()):
                for later in after[card]:
                    total = so_far + (card not in covered[later])
                    if later not in leader:
                        ends.append((total, card, later))
                    elif leader[later] != card:
                        other = leader[later]
                        total -= other not in covered[later]
                        if total < cost.get(other, state.cards_count):
                            cost[other], previous[other] = total, card
        if not ends:
            return follower
        _, card, later = min(ends)
        while card in previous:
            follower[card], later, card = later, follower[card], previous[card]
        follower[card] = later


def directly_before(state: State, card: int) -> list[int]:
    """The cards directly before ``card``: those before it with none in between."""
    before = [other for other in range(state.cards_count) if state.before[card] >> other & 1]
    covered = 0
    for other in before:
        covered |= state.before[other]
    return [other for other in before if not covered >> other & 1]
