// The keyboard: digits choose, `/` searches, arrows move through rows, Esc goes back, and `?` lists the keys. A key is
// taken only as it is, without Control, Alt or Meta, and never from a field in which text is typed.
"use strict";
(() => {
  const { begin, lists } = coordinator;
  const find = (selector) => document.querySelector(selector);
  const help = find("#keys");
  const isTyped = (element) => element.matches("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]");
  const isBusy = (event) =>
    event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || help?.open || find("dialog[open]");

  // The single keys can be turned off, because speech input or a slip of the hand may press them (WCAG 2.1.4).
  const areOn = () => localStorage.getItem("coordinator.keys") !== "off";
  const say = () => {
    const isOn = areOn();
    document.documentElement.toggleAttribute("data-keys", isOn);
    for (const control of document.querySelectorAll("[data-key]")) {
      if (isOn) control.setAttribute("aria-keyshortcuts", control.dataset.key);
      else control.removeAttribute("aria-keyshortcuts");
    }
    lists.field()?.[isOn ? "setAttribute" : "removeAttribute"]("aria-keyshortcuts", "/");
  };

  // Help
  const explain = () => {
    find("#keys-single").checked = areOn();
    help.showModal();
    find("#keys-title").focus();
  };
  if (help) {
    find("#keys-button").hidden = false;
    find("#keys-open").addEventListener("click", explain);
    find("#keys-close").addEventListener("click", () => help.close());
    find("#keys-single").addEventListener("change", ({ target }) => {
      localStorage.setItem("coordinator.keys", target.checked ? "on" : "off");
      say();
    });
  }

  // Rows: Tab enters and leaves a list, and goes to the row that had the focus last.
  let place = null;
  const rows = () => lists.controls().filter((control) => !control.disabled);
  const rove = () => {
    const all = rows();
    const current = all.find((control) => control === document.activeElement) ?? all.find((control) => control.closest("li").id === place) ??
      all.find((control) => control.matches("[autofocus], .chosen, :checked")) ?? all[0];
    for (const control of all) control.tabIndex = control === current ? 0 : -1;
  };
  coordinator.rove = rove;
  document.addEventListener("focusin", ({ target }) => {
    const row = target.closest("#items li");
    if (!row) return;
    place = row.id;
    rove();
  });

  const go = (all, index) => {
    const control = all[Math.min(Math.max(index, 0), all.length - 1)];
    control?.focus();
    control?.scrollIntoView({ block: "nearest" });
  };
  // Moves through rows or choices; tells whether the key has a meaning there.
  const move = (key, target) => {
    const isList = target.closest("#items li") !== null;
    const all = isList ? rows() : [...document.querySelectorAll("#choices button")];
    const index = all.indexOf(target);
    if (index < 0) return false;
    const leap = Math.max(Math.floor(innerHeight / (target.closest("li").offsetHeight || 1)) - 2, 1);
    const { page, pages } = isList ? find("#items").dataset : {};
    const isFirst = index === 0;
    const isLast = index === all.length - 1;
    switch (key) {
      case "ArrowDown": isList && isLast && page < Number(pages) ? lists.turn(Number(page) + 1) : go(all, index + 1); break;
      case "ArrowUp":
        if (!isList || !isFirst) go(all, index - 1);
        else if (page > 1) lists.turn(page - 1, true);
        else lists.field()?.focus();
        break;
      case "PageDown": isList && isLast && page < Number(pages) ? lists.turn(Number(page) + 1) : go(all, index + leap); break;
      case "PageUp": isList && isFirst && page > 1 ? lists.turn(page - 1, true) : go(all, index - leap); break;
      case "Home": go(all, 0); break;
      case "End": go(all, all.length - 1); break;
      default: return false;
    }
    return true;
  };

  const search = () => {
    const field = lists.field();
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
  };

  // Goes back in the way that the page offers, or in the field or the question first.
  const escape = (target) => {
    if (target === lists.field() && target.value) return lists.clear();
    if (isTyped(target) && find("#answer [data-typed]")) return (find("#title") ?? target).focus();
    const question = find("details.ask[open]");
    if (question) {
      question.open = false;
      return question.querySelector("summary").focus();
    }
    (find("#confirmation a, #ending a") ?? find("#back button, #leave a"))?.click();
  };

  document.addEventListener("keydown", (event) => {
    if (isBusy(event)) return;
    const { key, target } = event;
    const take = (action) => {
      event.preventDefault();
      action();
    };
    if (key === "Escape") return take(() => escape(target));
    if (target === lists.field()) {
      if (key === "ArrowDown" && rows().length) take(() => go(rows(), 0));
      return;
    }
    if (!event.shiftKey && move(key, target)) return event.preventDefault();
    const isRow = target.closest("#items li");
    // Enter in a box sends the choice, as it sends a form.
    if (key === "Enter" && isRow && target.matches("input")) return take(() => find("#choose button")?.click());
    if (!areOn() || isTyped(target) || key.length !== 1) return;
    const chosen = /^[1-9]$/.test(key) ? find(`[data-key="${key}"]`) : null;
    if (chosen) {
      take(() => {
        chosen.focus();
        chosen.click();
      });
    } else if (key === "?" && help) {
      take(explain);
    } else if (key === "/" && lists.field()) {
      take(search);
    } else if (isRow && key !== " " && lists.field()) {
      // The key itself is then typed in the field.
      search();
    }
  });

  // A modal screen keeps the focus.
  const enclose = () => {
    const isModal = find("main > [role=dialog]") !== null;
    for (const element of document.querySelectorAll("header, .skip")) element.inert = isModal;
  };
  document.addEventListener("prepared", () => {
    say();
    rove();
    enclose();
  });

  // Where a page begins that an answer led to: at what its markup says, or else at the first field. Not on a telephone,
  // whose keyboard would cover the page, and not if that would scroll the page.
  document.addEventListener("submit", () => sessionStorage.setItem("coordinator.answered", "1"));
  window.addEventListener("pageshow", () => {
    const isAnswered = sessionStorage.getItem("coordinator.answered") !== null;
    sessionStorage.removeItem("coordinator.answered");
    if (document.activeElement !== document.body || find("main [autofocus]")) return;
    const first = find("#fields :is(input:not([type=hidden]), select, textarea):not(:disabled, [readonly])");
    const isSeen = first?.checkVisibility() && first.getBoundingClientRect().bottom < innerHeight;
    if (isAnswered && isSeen && !matchMedia("(pointer: coarse)").matches) begin(first);
    else if (find("main > [role=dialog]")) find("#title")?.focus();
  });
})();
