-- Trick taking: of each statement that does not hold the smallest counterexample
-- Run: yamafuda run job=tricks_table job.cards=6
-- Run: yamafuda run job=tricks_theorems job.cards=6
--
-- The counterexample tells who has each card, highest first: A is Left, B is Right. Below so many cards above, k are
-- point cards. Of a statement about swaps Left gives away the card `gives`, 1 for the lowest, for `gets`.
SELECT point_cards, aim, statement, hands,
       sum(cases_count) OVER statements AS cases, sum(cases_obeying_count) OVER statements AS cases_obeying,
       cards, above, k, counterexample, leader, gives, gets, gain
FROM tricks_theorems
WINDOW statements AS (PARTITION BY point_cards, aim, statement, hands)
QUALIFY cases_obeying_count < cases_count AND row_number() OVER (
    PARTITION BY point_cards, aim, statement, hands, cases_obeying_count < cases_count ORDER BY cards, above, k
) = 1
ORDER BY point_cards, aim, statement, hands
