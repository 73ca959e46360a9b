-- Calculation: share of decks that each player has won, with Wilson's 95% interval
-- Run: yamafuda run job=stackgame_table job.stacks=2 job.cards=5
-- Run: yamafuda run -m job=calculation_sweep job.ranks=6 job.stacks=2 job.keep=2,20
--
-- Runs of one seed have the same decks.
WITH counted AS (
    SELECT ranks, stacks, look_ahead, coalesce(playouts, 0) AS playouts, keep, value, exponent, alike, recast, edges,
           ties, misfits, eager, count(*) AS n, count_if(outcome = 'won') AS won, won / n AS share,
           1.959963984540054 ^ 2 / n AS zz, avg(left_count) AS left_a_game, sum(elapsed_s) / n AS elapsed_s_a_game
    FROM calculation_sweep WHERE outcome IN ('won', 'lost') AND seed IS NOT NULL GROUP BY ALL
)
SELECT * EXCLUDE (n, won, share, zz, left_a_game, elapsed_s_a_game), n AS decks, won, round(share, 4) AS won_share,
       round((share + zz / 2 - sqrt(zz * (share * (1 - share) + zz / 4))) / (1 + zz), 4) AS won_share_low,
       round((share + zz / 2 + sqrt(zz * (share * (1 - share) + zz / 4))) / (1 + zz), 4) AS won_share_high,
       round(left_a_game, 3) AS cards_left_a_game, round(elapsed_s_a_game, 6) AS elapsed_s_a_game
FROM counted ORDER BY ranks, stacks, share DESC, look_ahead, playouts, keep
