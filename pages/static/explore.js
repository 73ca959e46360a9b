// Follows plays without loading the whole page anew, and moves between cells by arrow keys.
"use strict";

let asked = null;

async function follow(href, isNew) {
  asked?.abort();
  const mine = asked = new AbortController();
  const explored = document.getElementById("explored");
  explored.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(href, { signal: mine.signal, headers: { accept: "text/html" } });
    const found = new DOMParser().parseFromString(await answer.text(), "text/html");
    const part = found.getElementById("explored");
    if (!answer.ok || part === null) throw new Error("another page");
    explored.replaceWith(document.adoptNode(part));
    document.title = found.title;
    document.getElementById("position").value = found.getElementById("position").value;
    if (isNew) history.pushState(null, "", href);
    part.querySelector("table a")?.focus({ preventScroll: true });
  } catch (error) {
    if (error.name !== "AbortError") location.href = href;
  }
}

function click(event) {
  const link = event.target.closest("#explored table a, #explored nav a");
  if (link === null || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  follow(link.href, true);
}

function key(event) {
  const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  const cell = event.target.closest("#explored td");
  if (cell === null || steps[event.key] === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
  const [down, right] = steps[event.key];
  const rows = [...cell.closest("tbody").rows];
  let row = rows.indexOf(cell.parentElement) + down;
  let column = cell.cellIndex + right;
  while (rows[row]?.cells[column]) {
    const link = rows[row].cells[column].querySelector("a");
    if (link !== null) {
      event.preventDefault();
      link.focus();
      return;
    }
    row += down;
    column += right;
  }
}

if (document.getElementById("explored") !== null) {
  document.addEventListener("click", click);
  document.addEventListener("keydown", key);
  addEventListener("popstate", () => follow(location.href, false));
}
