// Shows what is typed into a secret while its user wants to see it.
"use strict";
(() => {
  // Shows what is typed into a secret, or hides it again.
  const reveal = (button, isShown) => {
    const control = document.getElementById(button.dataset.reveals);
    if (control) control.type = isShown ? "text" : "password";
    button.setAttribute("aria-pressed", String(isShown));
  };
  document.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-reveals]");
    if (button) reveal(button, button.getAttribute("aria-pressed") !== "true");
  });
  document.addEventListener("prepared", () => {
    for (const button of document.querySelectorAll("[data-reveals]")) {
      button.hidden = false;
      reveal(button, document.getElementById(button.dataset.reveals)?.type === "text");
    }
  });
  // Browsers remember what was typed into a text, but not a password.
  document.addEventListener("submit", (event) => {
    if (event.submitter?.name === "row") return;
    for (const button of document.querySelectorAll("[data-reveals]")) reveal(button, false);
  });
})();
