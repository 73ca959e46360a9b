-- All runs side by side: how far, when, how fast, how large
-- Run: yamafuda run JOB
--
-- Times are UTC. Rates of finished runs are those of their last driver.
SELECT job, name, state, round(done_share, 4) AS done_share,
       date_trunc('second', started) AS started, date_trunc('second', finished) AS finished,
       items_count, round(items_per_s, 3) AS items_per_s, size_bytes, label
FROM runs ORDER BY job, started
