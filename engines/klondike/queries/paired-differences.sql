-- Klondike: what more redeals bring, on the same deals, with the 95% interval of the difference
-- Run: yamafuda run -m job=klondike_sweep job.deals=100 job.redeals=0,2
--
-- Each deal that is decided with either number of redeals, and all other rules alike, is a pair; more_redeals is empty
-- where they are unlimited. The interval is that of R. G. Newcombe, "Improved confidence intervals for the difference
-- between binomial proportions based on paired data", Statistics in Medicine 17, 1998, method 10: Wilson's intervals of
-- both shares, less what they have in common.
WITH decided AS (
    SELECT draw, redeal_rule, deal_last, foundation_back, seed, deal_index,
           coalesce(redeals, 'infinity'::DOUBLE) AS redeals, bool_or(outcome = 'won') AS won
    FROM klondike_sweep WHERE outcome IN ('won', 'lost') AND seed IS NOT NULL GROUP BY ALL
), pairs AS (
    SELECT draw, redeal_rule, deal_last, foundation_back, fewer.redeals AS fewer, more.redeals AS more,
           count(*) AS n, count_if(more.won) AS won_with_more, count_if(fewer.won) AS won_with_fewer,
           count_if(more.won AND fewer.won) AS both_won, count_if(NOT more.won AND NOT fewer.won) AS none_won
    FROM decided AS fewer
    JOIN decided AS more USING (draw, redeal_rule, deal_last, foundation_back, seed, deal_index)
    WHERE fewer.redeals < more.redeals GROUP BY ALL
), shares AS (
    SELECT *, won_with_more / n AS p, won_with_fewer / n AS q, 1.959963984540054 ^ 2 / n AS zz,
           both_won * none_won - (won_with_more - both_won) * (won_with_fewer - both_won) AS excess,
           -- As doubles: of a million deals the product is beyond whole numbers.
           sqrt(won_with_more::DOUBLE * (n - won_with_more) * won_with_fewer * (n - won_with_fewer)) AS spread
    FROM pairs
), wilson AS (
    SELECT *,
           if(spread = 0, 0, if(excess > 0, greatest(0, excess - n / 2), excess) / spread) AS common,
           greatest(0, (p + zz / 2 - sqrt(zz * (p * (1 - p) + zz / 4))) / (1 + zz)) AS p_low,
           least(1, (p + zz / 2 + sqrt(zz * (p * (1 - p) + zz / 4))) / (1 + zz)) AS p_high,
           greatest(0, (q + zz / 2 - sqrt(zz * (q * (1 - q) + zz / 4))) / (1 + zz)) AS q_low,
           least(1, (q + zz / 2 + sqrt(zz * (q * (1 - q) + zz / 4))) / (1 + zz)) AS q_high
    FROM shares
)
SELECT draw, redeal_rule, deal_last, foundation_back,
       fewer::INTEGER AS redeals, try_cast(more AS INTEGER) AS more_redeals,
       n AS deals, won_with_fewer, won_with_more, round(p - q, 4) AS difference,
       round(p - q - sqrt(greatest(0,
           (p - p_low) ^ 2 - 2 * common * (p - p_low) * (q_high - q) + (q_high - q) ^ 2)), 4) AS difference_low,
       round(p - q + sqrt(greatest(0,
           (p_high - p) ^ 2 - 2 * common * (p_high - p) * (q - q_low) + (q - q_low) ^ 2)), 4) AS difference_high
FROM wilson ORDER BY ALL
