-- Klondike: how fast each machine was: deals an hour of one core, and states a second
-- Run: yamafuda run job=klondike_sweep job.deals=100 job.redeals=2
--
-- All attempts count, for all of them took time. Machines that had harder deals look slower by deals, hardly by states.
SELECT mode, draw, redeals, host, count(*) AS deals, round(sum(elapsed_s), 3) AS core_s,
       round(3600 * count(*) / sum(elapsed_s))::BIGINT AS deals_per_core_hour,
       round(sum(states_count) / sum(elapsed_s))::BIGINT AS states_per_core_s
FROM klondike_sweep_rows GROUP BY ALL ORDER BY mode, draw, redeals, deals_per_core_hour DESC
