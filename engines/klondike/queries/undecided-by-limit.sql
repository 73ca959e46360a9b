-- Klondike: deals that are still open, by the limit that their search hit
-- Run: yamafuda run job=klondike_sweep job.deals=100 job.redeals=2 job.limits.states=100000
--
-- The run's command with larger limits takes these deals again. Shares are of all deals of the same rules.
WITH counted AS (
    SELECT mode, draw, redeals, redeal_rule, deal_last, foundation_back, outcome, "limit", count(*) AS deals,
           max(states_count) AS most_states, max(peak_bytes) AS most_bytes, max(elapsed_s) AS longest_s
    FROM klondike_sweep GROUP BY ALL
), shares AS (
    SELECT *, deals / sum(deals) OVER (
        PARTITION BY mode, draw, redeals, redeal_rule, deal_last, foundation_back
    ) AS share
    FROM counted
)
SELECT mode, draw, redeals, redeal_rule, deal_last, foundation_back, "limit", deals, round(share, 4) AS share,
       most_states, most_bytes, round(longest_s, 3) AS longest_s
FROM shares WHERE outcome = 'undecided' ORDER BY ALL
