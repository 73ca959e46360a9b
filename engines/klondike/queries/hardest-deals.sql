-- Klondike: the twenty deals whose search stored most states
-- Run: yamafuda run job=klondike_sweep job.deals=100 job.redeals=2
--
-- times_median compares with the median deal of the same rules. A deal that is undecided has hit its limit: it is at
-- least so hard.
SELECT draw, redeals, seed, deal_index, outcome, "limit", states_count, moves_count,
       round(elapsed_s, 3) AS elapsed_s, round(states_count / median(states_count) OVER (
           PARTITION BY mode, draw, redeals, redeal_rule, deal_last, foundation_back
       )) AS times_median
FROM klondike_sweep ORDER BY states_count DESC, draw, redeals, seed, deal_index LIMIT 20
