// Asks about the position that is shown, and shows the answer below it; the question can be taken back.
"use strict";

{
  const replay = document.getElementById("replay");
  const answer = document.getElementById("answer");
  const plays = document.getElementById("plays");
  const SETTLED_MS = 250;
  let asking = null;
  let settling = 0;

  function note(text, action) {
    const line = document.createElement("p");
    line.textContent = text;
    if (action !== undefined) line.append(" ", action);
    answer.replaceChildren(line);
  }

  function cancelButton() {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Cancel";
    button.addEventListener("click", () => asking.abort());
    return button;
  }

  async function ask(event) {
    event.preventDefault();
    if (asking !== null) asking.abort();
    const mine = (asking = new AbortController());
    note("Computing …", cancelButton());
    try {
      const sent = await fetch(event.target.action, {
        method: "POST",
        headers: { accept: "application/json" },
        body: new URLSearchParams(new FormData(event.target)),
        signal: mine.signal,
      });
      const told = await sent.json();
      if (mine !== asking) return;
      if (sent.ok) answer.innerHTML = told.html;
      else note([told.place, told.error].filter(Boolean).join(": "));
    } catch (error) {
      if (mine === asking) note(error.name === "AbortError" ? "Cancelled." : "The server does not answer.");
    }
  }

  async function showPlays() {
    const address = new URL(location.href);
    const found = await fetch(`${address.pathname}/plays.json${address.search}`, {
      headers: { accept: "application/json" },
    });
    if (!found.ok) return;
    const { html } = await found.json();
    // Answers may overtake one another.
    if (address.href === location.href) plays.innerHTML = html;
  }

  function stepped(event) {
    for (const field of document.querySelectorAll(".ask input[name=step]")) field.value = event.detail.number;
    clearTimeout(settling);
    settling = setTimeout(showPlays, SETTLED_MS);
  }

  if (replay !== null) {
    for (const form of document.querySelectorAll(".ask")) form.addEventListener("submit", ask);
    replay.addEventListener("step", stepped);
  }
}
