// Searches a list while its user types, and turns its pages, without leaving the page. The server selects the rows, so
// that a long list is never sent as a whole.
"use strict";
(() => {
  const { load, show, sayWhetherAway, isLeaving, data, want, awaitOther } = coordinator;
  const field = () => document.getElementById("filter-text");
  const view = () => document.getElementById("view");
  const form = () => document.getElementById("answer");
  const controls = () => [...document.querySelectorAll("#items li:not([hidden]) :is(button, input)")];
  // Whether what is checked has to be kept, because the page shows only a part of it.
  const isForSeveral = () => form()?.contains(field()) ?? false;

  // The part of the list that was asked for and is not shown yet; null if there is none.
  let goal = null;
  // The part that the page shows, or will show next.
  const current = () => {
    const query = new URLSearchParams(goal ?? view()?.value ?? "");
    const text = field()?.value.trim() ?? "";
    if (text !== (query.get("find") ?? "")) {
      query.delete("page");
      query.delete("find");
      if (text) query.set("find", text);
    }
    return query;
  };
  want(() => {
    if (!view()) return new URLSearchParams();
    const query = current();
    if (query.size) query.set("list", data().here.split("/").pop());
    return query;
  });

  // Counts what has been checked and unchecked.
  let changes = 0;

  // Shows the part of the list with a query.
  const look = async (query) => {
    const path = form().getAttribute("action");
    const before = changes;
    let loaded;
    if (isForSeveral()) {
      const sent = new URLSearchParams(new FormData(form()));
      for (const secret of form().querySelectorAll("input[data-secret]")) sent.delete(secret.name);
      sent.set("look", "stay");
      sent.set("view", query);
      loaded = await load(path, { method: "POST", body: sent });
    } else {
      loaded = await load(path + (query ? "?" + query : ""));
    }
    // The answer does not know what was checked meanwhile, and may not have that row. The next request sends it.
    if (before !== changes) return;
    const here = data().here;
    await show(loaded);
    if (isLeaving() || data().here !== here) return;
    const url = new URL(loaded.response.url);
    if (url.href === location.href) return;
    try {
      history.replaceState(history.state, "", url.pathname + url.search);
    } catch { /* Some browsers allow only so many changes in a time. The next one says where the list is. */ }
  };

  // One request at a time: what was asked for last is shown last.
  let round = 0;
  let running = null;
  awaitOther(() => running);
  const work = async () => {
    try {
      let before;
      do {
        before = round;
        await look(String(goal));
        if (before !== round) foresee();
      } while (before !== round && view());
    } catch {
      sayWhetherAway(true);
    } finally {
      goal = null;
      running = null;
    }
  };
  const ask = (change = () => {}) => {
    if (!view()) return Promise.resolve();
    goal = current();
    change(goal);
    round += 1;
    running ??= work();
    return running;
  };

  const isUpToDate = () => String(current()) === String(new URLSearchParams(view()?.value ?? ""));

  // Hides the rows that will not be found, before the server has said which will. Only if the whole list is on this page.
  const foresee = () => {
    const shown = new URLSearchParams(view()?.value ?? "");
    const text = current().get("find") ?? "";
    const isWhole = document.getElementById("items")?.dataset.pages === "1" && text.startsWith(shown.get("find") ?? "");
    for (const list of document.querySelectorAll("#items ul")) {
      const heading = document.getElementById(list.getAttribute("aria-labelledby"));
      for (const row of list.children) {
        const title = row.querySelector(".choice-title").textContent;
        const rest = [...row.querySelectorAll(".choice-subtitle")].map(({ textContent }) => textContent);
        // The server searches reasons in other words than these.
        row.hidden = isWhole && !row.querySelector(".reason") &&
          coordinator.matching.lacks(title, [...rest, heading?.textContent ?? ""].join("\n"), text);
      }
      if (heading) heading.hidden = [...list.children].every(({ hidden }) => hidden);
    }
    coordinator.rove();
  };

  // Searches for what is typed. While the server answers, further letters wait, and are then searched for together.
  const search = () => {
    foresee();
    ask();
  };
  // Searches, unless that has been done.
  const finish = () => running || !isUpToDate() ? ask() : Promise.resolve();
  document.addEventListener("input", (event) => {
    if (event.target === field()) {
      if (!event.isComposing) search();
    } else if (event.target.matches("#items input[type=checkbox]")) {
      changes += 1;
      ask();
    }
  });
  document.addEventListener("compositionend", ({ target }) => { if (target === field()) search(); });

  const clear = () => {
    field().value = "";
    field().focus();
    foresee();
    return finish();
  };
  const turn = async (page, isAtEnd) => {
    await ask((query) => query.set("page", page));
    const all = controls();
    all.at(isAtEnd ? -1 : 0)?.focus();
    if (!isAtEnd) document.getElementById("filter")?.scrollIntoView({ block: "nearest" });
  };
  const choose = {
    find: () => finish(),
    clear,
    chosen: () => ask((query) => { query.set("chosen", 1); query.delete("page"); }),
    all: () => ask((query) => { query.delete("chosen"); query.delete("page"); }),
  };
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const control = event.target.closest("button[name=look], a[data-turn], #filter-clear");
    if (!control) return;
    event.preventDefault();
    const page = control.dataset.turn ?? control.value?.match(/^page\/(\d+)$/)?.[1];
    if (page) turn(page);
    else (choose[control.value] ?? clear)();
  });

  // By default, Enter presses the first button of a form. Here it chooses the only row that is left, or goes to the
  // first one.
  document.addEventListener("keydown", async (event) => {
    if (event.key !== "Enter" || event.isComposing || event.target !== field()) return;
    event.preventDefault();
    await finish();
    const left = controls();
    if (left.length === 1 && left[0].nodeName === "BUTTON" && isUpToDate() && !document.querySelector("#pages")) left[0].click();
    else left[0]?.focus();
  });

  globalThis.coordinator.lists = { controls, field, clear, finish, turn };
})();
