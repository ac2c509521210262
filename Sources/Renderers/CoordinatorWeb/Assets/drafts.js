// Saves what is being typed, and adds and removes rows of lists, without leaving the page.
"use strict";
(() => {
  const { data, isLeaving, refresh, self, sayWhetherAway, show } = coordinator;

  // Saves what is being typed with the flow, so that it survives a reload and appears in other renderers. Never saves
  // a password.
  let timer = null;
  const send = async (changed = []) => {
    const form = document.getElementById("answer");
    if (!form || !data().draft || isLeaving()) return false;
    const typed = new URLSearchParams(new FormData(form));
    for (const secret of form.querySelectorAll("input[data-secret]")) {
      typed.delete(secret.name);
      if ("typed" in secret.dataset && secret.value) typed.append("filled", secret.name);
    }
    // Untouched fields are not part of the draft.
    const touched = form.querySelectorAll("[data-typed]:not([data-secret])");
    for (const name of new Set([...changed, ...[...touched].map((control) => control.name)])) typed.append("touched", name);
    typed.append("page", self);
    // Browsers refuse to send more than 64 KiB for a page that may be left meanwhile.
    const isShort = String(typed).length < 60000;
    await fetch(data().draft, { method: "POST", body: typed, keepalive: isShort }).catch(() => {});
    return true;
  };

  // Sends one draft after the other: the last one that arrives counts, and none may overtake a newer one.
  let saving = null;
  const keepDraft = async (changed) => {
    while (saving) await saving;
    saving = send(changed).finally(() => { saving = null; });
    // What was wrong and has been corrected no longer is.
    if (await saving && document.querySelector("#answer .wrong") && !isLeaving()) await refresh();
  };
  document.addEventListener("input", ({ target }) => {
    if (!target.closest("#answer")) return;
    const group = target.type === "radio" ? document.getElementsByName(target.name) : [target];
    for (const control of group) control.dataset.typed = "";
    clearTimeout(timer);
    timer = setTimeout(keepDraft, 400);
  });

  // Adds or removes a row of a list without leaving the page, so that passwords remain typed.
  const changeRows = async (form, button) => {
    const { id } = button.closest(".field");
    const isAdding = button.value.startsWith("add/");
    await keepDraft();
    const sent = new URLSearchParams(new FormData(form, button));
    for (const secret of form.querySelectorAll("input[data-secret]")) sent.delete(secret.name);
    try {
      const response = await fetch(form.action, { method: "POST", body: sent });
      if (response.status >= 500) throw new Error(response.statusText);
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      // The server knows what was typed, and a row may have another number now.
      for (const control of document.getElementById(id).querySelectorAll("[data-typed]")) delete control.dataset.typed;
      await show({ response, page });
      const group = document.getElementById(id);
      const added = [...group?.querySelectorAll(".entry") ?? []].at(-1)?.querySelector("input:not([type=hidden]), select, textarea");
      (isAdding && added || group?.querySelector(".row-button:last-of-type") || group)?.focus();
      keepDraft([button.dataset.rows]);
    } catch {
      sayWhetherAway(true);
    }
  };
  // Before the page counts as left, after which nothing is saved any more.
  document.addEventListener("submit", (event) => {
    clearTimeout(timer);
    if (event.submitter?.name === "row") {
      event.preventDefault();
      changeRows(event.target, event.submitter);
    } else if (event.target.id === "phone") {
      // The phone goes on with what has been typed so far. At once, because the page is being left.
      send();
    }
  }, true);

  // Enter in a field whose form asks first opens the question instead of pressing the button behind it.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || !event.target.matches("#answer input") || !document.getElementById("entered")) return;
    event.preventDefault();
    const question = document.querySelector("#actions summary.primary")?.parentElement;
    if (!question) return;
    question.open = true;
    question.querySelector("button").focus();
  });
})();
