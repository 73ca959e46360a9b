// Puts a button beside each text that is there to be copied.
"use strict";

if (navigator.clipboard) {
  for (const text of document.querySelectorAll(".deals input[readonly]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(text.value);
      button.textContent = "Copied";
    });
    text.closest("label").after(button);
  }
}
