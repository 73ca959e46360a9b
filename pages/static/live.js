// Keeps what is shown of runs as it is now: asks every two seconds, and not while nobody looks.
"use strict";

const PERIOD_MS = 2000;
const unreached = document.getElementById("unreached");
const again = document.getElementById("again");

async function changes(address) {
  try {
    const answer = await fetch(address, { headers: { accept: "application/json" } });
    if (!answer.ok) throw new Error(answer.status);
    unreached.hidden = true;
    return await answer.json();
  } catch {
    unreached.hidden = false;
    return null;
  }
}

async function followRuns(table) {
  const told = await changes(`/runs/changes.json?since=${table.dataset.version}`);
  if (told === null) return;
  if (told.again) again.hidden = false;
  table.dataset.version = told.version;
  for (const row of table.tBodies[0].rows) {
    const html = told.rows[row.dataset.run];
    if (html === undefined || row.contains(document.activeElement)) continue;
    const made = document.createElement("tbody");
    made.innerHTML = html;
    row.replaceWith(made.rows[0]);
  }
}

async function followRun(standing) {
  const told = await changes(standing.dataset.changes);
  if (told === null) return;
  standing.innerHTML = told.html;
  if (told.state !== standing.dataset.state) again.hidden = false;
}

function repeat(follow, element) {
  if (element === null) return;
  setInterval(() => document.hidden || follow(element), PERIOD_MS);
}

repeat(followRuns, document.getElementById("runs"));
const standing = document.getElementById("standing");
if (standing !== null && standing.dataset.state === "running") repeat(followRun, standing);

const report = document.getElementById("report");
if (report !== null) {
  const fit = () => (report.style.height = `${report.contentDocument.body.scrollHeight + 2}px`);
  report.addEventListener("load", () => {
    fit();
    new ResizeObserver(fit).observe(report.contentDocument.body);
  });
}
