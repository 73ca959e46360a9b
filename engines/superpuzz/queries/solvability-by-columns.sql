-- Superpuzz: share of deals that can be won, by columns, with Wilson's 95% interval
-- Run: yamafuda run -m job=superpuzz_census 'job.columns=range(2,6)' job.deals=200
--
-- A deal that is still open counts as lost for the lower end and as won for the upper one, so that the interval holds
-- however it ends. A deal that was searched in several ways counts once.
WITH deals AS (
    SELECT columns, seed, deal_index, bool_or(outcome = 'won') AS is_won, bool_or(outcome = 'lost') AS is_lost
    FROM superpuzz_sweep WHERE seed IS NOT NULL GROUP BY ALL
), counted AS (
    SELECT columns, count(*) AS n, count_if(is_won) AS won, count_if(is_lost) AS lost,
           won / n AS least, 1 - lost / n AS most, 1.959963984540054 ^ 2 / n AS zz
    FROM deals GROUP BY columns
)
SELECT columns, n AS deals, won, lost, n - won - lost AS open,
       round(least, 4) AS won_share_min, round(most, 4) AS won_share_max,
       round((least + zz / 2 - sqrt(zz * (least * (1 - least) + zz / 4))) / (1 + zz), 4) AS won_share_low,
       round((most + zz / 2 + sqrt(zz * (most * (1 - most) + zz / 4))) / (1 + zz), 4) AS won_share_high
FROM counted ORDER BY columns
