// Filters the list of flows while its user types. The server selects and marks, as it does without this script.
"use strict";
(() => {
  const { load, show, want } = coordinator;
  const field = () => document.getElementById("find-text");
  const query = () => {
    const text = field()?.value.trim();
    return new URLSearchParams(text ? { find: text } : {});
  };
  want(() => query());

  // One request at a time: what was asked for last is shown last.
  let round = 0;
  let running = null;
  const work = async () => {
    try {
      let before;
      do {
        before = round;
        const wanted = query();
        const path = document.getElementById("find").getAttribute("action") + (wanted.size ? "?" + wanted : "");
        const answer = await load(path);
        // The page may have been replaced by that of a flow meanwhile.
        if (!field()) return;
        await show(answer);
        if (location.pathname + location.search !== path) history.replaceState(history.state, "", path);
      } while (before !== round && field());
    } catch { /* The event stream reports when the server is back. */
    } finally {
      running = null;
    }
  };
  const search = () => {
    round += 1;
    running ??= work();
    return running;
  };
  document.addEventListener("input", (event) => {
    if (event.target === field() && !event.isComposing) search();
  });
  // Enter takes what matches best.
  document.addEventListener("submit", async (event) => {
    if (event.target.id !== "find") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    await search();
    document.querySelector("[data-best]")?.click();
  }, true);
  document.addEventListener("keydown", (event) => {
    if (!field() || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/" && !event.target.matches("input, textarea, select")) {
      event.preventDefault();
      field().focus();
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const rows = [...document.querySelectorAll(".home section:not([hidden]) .choice-button")];
    const at = rows.indexOf(document.activeElement);
    if (!step || (event.target !== field() && at < 0)) return;
    event.preventDefault();
    if (at + step < 0) field().focus();
    else rows[Math.min(at + step, rows.length - 1)]?.focus();
  });
  // How long ago a flow was started is said in minutes.
  setInterval(() => { if (field() && !document.hidden) search(); }, 60000);
})();
