// Counts down to a new start of the flow, and tells the server that somebody is there.
"use strict";
(() => {
  const { data } = coordinator;
  const idle = () => document.getElementById("idle");
  // The server hears of it as often as this, or at once if it has asked.
  const pause = 5000;
  let told = -Infinity;
  let answered = -Infinity;

  const ends = new Map();
  let clock = null;
  const show = (milliseconds) => {
    const seconds = Math.ceil(milliseconds / 1000);
    return Math.floor(seconds / 60) + ":" + String(seconds % 60).padStart(2, "0");
  };
  const count = () => {
    clearTimeout(clock);
    let next = Infinity;
    for (const element of document.querySelectorAll(".clock[data-left]")) {
      if (element.closest("[hidden]")) continue;
      const { left } = element.dataset;
      if (ends.get(element)?.left !== left) ends.set(element, { left, end: performance.now() + Number(left) });
      const rest = Math.max(0, ends.get(element).end - performance.now());
      element.textContent = show(rest);
      if (rest) next = Math.min(next, rest % 1000 + 10);
      // The server starts the next run at the same time.
      else if (element.closest("#restart")) setTimeout(() => location.replace(data().home), 500);
    }
    if (next < Infinity) clock = setTimeout(count, next);
  };
  document.addEventListener("prepared", () => {
    // A version of the page from before the answer asks once more.
    const form = idle();
    if (form && performance.now() - answered < pause) form.hidden = true;
    count();
  });

  const ask = (left) => {
    const form = idle();
    if (!form) return;
    const wasHidden = form.hidden;
    form.hidden = left === undefined;
    if (left === undefined) return;
    answered = -Infinity;
    form.querySelector(".clock").dataset.left = left;
    count();
    if (wasHidden) document.getElementById("alive").focus();
  };
  document.addEventListener("idle", ({ detail: { left } }) => ask(left));

  const tell = async () => {
    const form = idle();
    if (!form || performance.now() - told < (form.hidden ? pause : 0)) return;
    told = performance.now();
    const wasAsking = !form.hidden;
    const sent = new URLSearchParams(new FormData(form));
    sent.set("quiet", "1");
    if (wasAsking) {
      answered = told;
      form.hidden = true;
      document.getElementById("title")?.focus();
    }
    await fetch(form.action, { method: "POST", body: sent, keepalive: true }).catch(() => {});
  };
  for (const event of ["pointerdown", "keydown", "input", "wheel", "touchstart"]) addEventListener(event, tell, { passive: true });
  document.addEventListener("submit", (event) => {
    if (event.target === idle()) {
      event.preventDefault();
      event.stopImmediatePropagation();
      tell();
    }
  }, true);
})();
