// Tells what is wrong with a card as soon as it is typed, beside its cell.
"use strict";

{
  const form = document.getElementById("fill");
  const missing = document.getElementById("missing");

  function show(told) {
    for (const cell of form.querySelectorAll(".cell input")) {
      const mistake = told.mistakes[cell.name] ?? "";
      document.getElementById(`${cell.name}-wrong`).textContent = mistake;
      if (mistake) cell.setAttribute("aria-invalid", "true");
      else cell.removeAttribute("aria-invalid");
    }
    missing.textContent = told.missing || "no card";
  }

  let asked = 0;

  async function check() {
    const mine = ++asked;
    const sent = await fetch(form.dataset.check, {
      method: "POST",
      headers: { accept: "application/json" },
      body: new URLSearchParams(new FormData(form)),
    });
    const told = sent.ok ? await sent.json() : null;
    if (told !== null && mine === asked) show(told);
  }

  form.addEventListener("change", check);
}
