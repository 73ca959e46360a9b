// Shows what is wrong with a typed card beside its cell, as soon as the cell is left.
"use strict";

const form = document.getElementById("cells");

let asked = 0;

async function check() {
  const mine = ++asked;
  const answer = await fetch(location.href, {
    method: "POST",
    headers: { accept: "application/json" },
    body: new URLSearchParams(new FormData(form)),
  });
  if (!answer.ok || mine !== asked) return;
  const { mistakes } = await answer.json();
  for (const input of form.querySelectorAll("input")) {
    // What is not typed yet is not wrong yet.
    const mistake = input.value.trim() === "" ? "" : (mistakes[input.name] ?? "");
    document.getElementById(`${input.name}-mistake`).textContent = mistake;
    input.toggleAttribute("aria-invalid", mistake !== "");
    if (mistake !== "") input.setAttribute("aria-invalid", "true");
  }
}

form.addEventListener("change", check);
