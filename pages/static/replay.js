// Steps through a replay: all positions are fetched once, and shown without asking again.
"use strict";

const replay = document.getElementById("replay");
const table = document.getElementById("table");
const slider = document.getElementById("slider");
let steps = null;
let now = replay === null ? 0 : Number(replay.dataset.step);

function count() {
  return steps === null ? Number(replay.dataset.last) : steps.length - 1;
}

function show(number) {
  now = Math.min(Math.max(number, 0), count());
  const step = steps[now];
  table.innerHTML = step.html;
  const last = replay.dataset.last;
  const head = document.createElement("strong");
  head.id = "count";
  head.textContent = now ? `Move ${now} of ${last}` : "The deal";
  document.getElementById("move").replaceChildren(head, now ? `: ${step.words}` : "");
  document.getElementById("text").value = step.text;
  slider.value = now;
  slider.setAttribute("aria-valuetext", head.textContent);
  for (const link of replay.querySelectorAll("a[data-step]")) {
    if (Number(link.dataset.step) === now) link.setAttribute("aria-current", "step");
    else link.removeAttribute("aria-current");
  }
  const places = { first: 0, back: now - 1, on: now + 1, last: count() };
  for (const link of replay.querySelectorAll("a[data-go]")) link.href = address(places[link.dataset.go]);
  document.title = document.title.replace(/move \d+/, `move ${now}`);
  history.replaceState(null, "", address(now));
  replay.dispatchEvent(new CustomEvent("step", { detail: step }));
}

function address(number) {
  const found = new URL(location.href);
  found.searchParams.set("step", Math.min(Math.max(number, 0), count()));
  return found.pathname + found.search;
}

function go(event) {
  const link = event.target.closest("a[data-go], a[data-step]");
  if (link === null || steps === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const places = { first: 0, back: now - 1, on: now + 1, last: count() };
  show(link.dataset.go === undefined ? Number(link.dataset.step) : places[link.dataset.go]);
}

function key(event) {
  if (event.target.closest("input, textarea, select") || event.ctrlKey || event.altKey || event.metaKey) return;
  const places = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: count() };
  if (steps === null || places[event.key] === undefined) return;
  event.preventDefault();
  show(places[event.key]);
}

async function load() {
  const answer = await fetch(replay.dataset.steps, { headers: { accept: "application/json" } });
  if (!answer.ok) return;
  steps = await answer.json();
  slider.max = count();
  replay.querySelector(".slider").hidden = false;
  replay.querySelector(".keys").hidden = false;
  replay.addEventListener("click", go);
  document.addEventListener("keydown", key);
  slider.addEventListener("input", () => show(Number(slider.value)));
  replay.dataset.ready = "";
}

if (replay !== null) load();
