-- Superpuzz: states that the search stored, by the depth at which it found a win
-- Run: yamafuda run -m job=superpuzz_census 'job.columns=range(2,6)' job.deals=200
--
-- Depth is the moves of the solution that was found, ten a row. States grow by factors, so that their middle is the
-- geometric mean.
SELECT mode, columns, moves_count // 10 * 10 AS moves_from, moves_from + 9 AS moves_to, count(*) AS deals,
       min(states_count) AS fewest_states, round(exp(avg(ln(states_count))))::BIGINT AS middle_states,
       max(states_count) AS most_states
FROM superpuzz_sweep WHERE outcome = 'won' AND moves_count IS NOT NULL AND states_count > 0
GROUP BY ALL ORDER BY mode, columns, moves_from
