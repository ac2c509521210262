// Updates a page live without overwriting what is being typed, and maps the browser's Back to the flow's. Everything
// works without this script as well, by GET and POST alone.
"use strict";
(() => {
  const main = () => document.querySelector("main");
  const data = () => main().dataset;
  // Identifies this page, so that it recognizes its own drafts.
  const self = Math.random().toString(36).slice(2);
  let isLeaving = false;
  let source = null;
  let again = null;

  // The state of this tab: the current page, and its index in the tab's history.
  const memory = (name, value) =>
    value === undefined ? sessionStorage.getItem("coordinator." + name) : sessionStorage.setItem("coordinator." + name, value);
  const number = () => history.state?.number ?? 0;
  const remember = () => {
    if (history.state?.number === undefined) history.replaceState({ number: Number(memory("number") ?? 0) + 1 }, "");
    memory("number", number());
    memory("page." + number(), data().here ?? "");
    memory("at", data().here ?? "");
  };

  // The field in which the page began; null once its user has done something. It follows what others type, although it
  // has the focus.
  let begun = null;
  const begin = (element) => {
    begun = element;
    element.focus();
  };
  for (const type of ["keydown", "pointerdown"]) document.addEventListener(type, () => { begun = null; }, true);

  const isTyped = (element) =>
    element.matches("input:not([type=hidden]), textarea, select") &&
    ("typed" in element.dataset ||
      (element === document.activeElement && element !== begun &&
        (element.nodeName === "SELECT" || element.value !== element.defaultValue)));

  // Makes a tree of elements equal to another, except for controls that the user has edited or is editing.
  const morph = (old, next) => {
    if (old.nodeType !== next.nodeType || old.nodeName !== next.nodeName || old.id !== next.id) return old.replaceWith(next);
    if (old.nodeType !== Node.ELEMENT_NODE) {
      if (old.data !== next.data) old.data = next.data;
      return;
    }
    const isKept = isTyped(old);
    const own = (name) => isKept && ["value", "checked", "type", "data-typed"].includes(name) ||
      name === "open" && old.nodeName === "DETAILS";
    for (const { name } of [...old.attributes]) if (!next.hasAttribute(name) && !own(name)) old.removeAttribute(name);
    for (const { name, value } of next.attributes) if (old.getAttribute(name) !== value && !own(name)) old.setAttribute(name, value);
    if (isKept) return;
    if (old.nodeName === "INPUT") [old.value, old.checked] = [next.value, next.checked];
    if (old.nodeName === "PROGRESS" && !next.hasAttribute("value")) old.removeAttribute("value");
    // What a script has added stays.
    const drop = (node) => {
      const after = node.nextSibling;
      if (!("added" in (node.dataset ?? {}))) node.remove();
      return after;
    };
    let place = old.firstChild;
    const named = (parent) => [...parent.children].filter(({ id }) => id).map((element) => [element.id, element]);
    const known = new Map(named(old));
    const wanted = new Map(named(next));
    for (const child of [...next.childNodes]) {
      const match = child.id ? known.get(child.id) : place && !place.id && place.nodeName === child.nodeName ? place : null;
      if (!match) {
        old.insertBefore(child, place);
        continue;
      }
      while (place && place !== match && !wanted.has(place.id)) place = drop(place);
      // What is still wanted further down keeps its state.
      if (place === match) place = match.nextSibling;
      else old.insertBefore(match, place);
      morph(match, child);
    }
    while (place) place = drop(place);
    if (old.nodeName === "TEXTAREA" || old.nodeName === "SELECT") old.value = next.value;
  };

  // Loads a page; throws if the server cannot provide it at the moment.
  const load = async (url, options = {}) => {
    const response = await fetch(url, { headers: { Accept: "text/html" }, ...options });
    if (response.status >= 500) throw new Error(response.statusText);
    return { response, page: new DOMParser().parseFromString(await response.text(), "text/html") };
  };

  const sayWhetherAway = (isAway) => { document.getElementById("away").hidden = !isAway; };

  // Shows a loaded page: in place if it is the same screen, otherwise as another page.
  const show = async ({ response, page }) => {
    const next = page.querySelector("main");
    if (!next || isLeaving) return;
    const isSame = next.dataset.here === data().here;
    const frame = () => {
      document.title = page.title;
      document.documentElement.dir = page.documentElement.dir;
      document.documentElement.lang = page.documentElement.lang;
      const icon = page.getElementById("icon");
      if (icon) document.getElementById("icon")?.setAttribute("href", icon.getAttribute("href"));
    };
    if (isSame) {
      frame();
      morph(main(), next);
    } else {
      document.dispatchEvent(new Event("replacing"));
      const { pathname } = new URL(response.url);
      await coordinatorMotion.change(() => {
        frame();
        main().replaceWith(next);
        history.replaceState(history.state, "", pathname);
        (main().querySelector("[autofocus]") ?? document.getElementById("title"))?.focus();
      }, pathname, Boolean(next.querySelector("[role=dialog]")));
    }
    remember();
    prepare();
  };

  // What a new version of the page has to show as well. The other scripts say it.
  const wishes = [];
  const wanted = () => new URLSearchParams(wishes.flatMap((wish) => [...wish()]));

  const refresh = async (notice) => {
    try {
      let query, loaded;
      do {
        query = wanted();
        const noticed = notice ? [...query, ["notice", notice]] : [...query];
        loaded = await load(data().tree + (noticed.length ? "?" + new URLSearchParams(noticed) : ""));
      } while (String(wanted()) !== String(query));
      await show(loaded);
    } catch {
      // The server is away; the event stream reports when it is back.
    }
  };

  // Listens to events only while the page is visible, because browsers limit the connections to a host.
  const listen = () => {
    clearTimeout(again);
    source?.close();
    source = null;
    if (!data().events || document.hidden) return;
    source = new EventSource(data().events);
    document.dispatchEvent(new CustomEvent("listening", { detail: source }));
    source.addEventListener("window", (message) => {
      const { revision, screen, lost, held, language, notice, shown } = JSON.parse(message.data);
      sayWhetherAway(lost);
      if (isLeaving || lost || (screen === 0 && !held)) return;
      const isHere = data().here === (held ? data().tree : data().tree + "/screens/" + screen);
      if (!isHere) refresh(notice);
      else if (
        Number(data().revision) !== revision || "away" in data() || (data().language ?? language) !== language ||
        (data().shown ?? shown) !== shown
      ) refresh();
    });
    source.addEventListener("idle", (message) => {
      document.dispatchEvent(new CustomEvent("idle", { detail: JSON.parse(message.data) }));
    });
    source.addEventListener("home", (message) => {
      const { lost } = JSON.parse(message.data);
      sayWhetherAway(lost);
      if (!isLeaving && !lost) refresh();
    });
    source.addEventListener("progress", (message) => {
      const { screen, fraction, text } = JSON.parse(message.data);
      const bar = document.getElementById("progress-bar");
      if (!bar || data().here !== data().tree + "/screens/" + screen) return;
      if (fraction === undefined) bar.removeAttribute("value");
      else bar.value = fraction;
      const label = document.getElementById("progress-text");
      label.textContent = text ?? label.dataset.usual;
      document.dispatchEvent(new CustomEvent("progressed", { detail: { fraction, text } }));
    });
    source.addEventListener("drafted", (message) => {
      const { screen, page } = JSON.parse(message.data);
      if (page !== self && !isLeaving && data().here === data().tree + "/screens/" + screen) refresh();
    });
    source.addEventListener("ended", () => {
      source.close();
      if (!isLeaving) refresh();
    });
    source.addEventListener("error", () => {
      sayWhetherAway(!isLeaving);
      // Browsers reconnect by themselves, but not after a response that is not an event stream.
      if (source?.readyState === EventSource.CLOSED && !isLeaving) again = setTimeout(listen, 3000);
    });
    source.addEventListener("open", () => sayWhetherAway(false));
  };

  // Retries a page until the server can provide it.
  const awaitPage = async () => {
    const url = data().awaited;
    try {
      await load(url);
      location.replace(url);
    } catch {
      setTimeout(awaitPage, 2000);
    }
  };

  // Posts a form without leaving the page, and returns the resulting path. On failure, shows that the server is away
  // and returns null.
  const post = async (form) => {
    isLeaving = true;
    try {
      const response = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
      if (response.status < 500) return new URL(response.url).pathname;
    } catch { /* The server is away. */ }
    isLeaving = false;
    sayWhetherAway(true);
    return null;
  };

  // Handles the page's Back. Uses the browser's history if the previous entry is the resulting screen.
  const goBack = async (form) => {
    const path = await post(form);
    if (path === null) return;
    if (memory("page." + (number() - 1)) === path) history.back();
    else location.replace(path);
  };

  // If the browser's Back led from the top screen to one below it, makes the flow go back as well.
  const arrive = async (isTraversal, before) => {
    const form = document.getElementById("return");
    if (!isTraversal || !form || before !== data().above) return;
    const path = await post(form);
    if (path !== null) location.replace(path);
  };

  // Counts down to what happens by itself. The end of the countdown is computed whenever the page says how much is left.
  let countdown = { left: null, end: 0 };
  let clock = null;
  const lengths = [86400, 3600, 60, 1];
  // The words come from the server: the units in descending order, and how two of them are put together.
  const duration = (seconds, [pair, ...units]) => {
    const largest = Math.max(lengths.findIndex((length) => seconds >= length), 0);
    const words = (unit, number) => units[unit].replace("{count}", number);
    const first = words(largest, Math.floor(seconds / lengths[largest]));
    const rest = Math.floor((seconds % lengths[largest]) / lengths[largest + 1]);
    return rest ? pair.replace("{first}", first).replace("{second}", words(largest + 1, rest)) : first;
  };
  const count = () => {
    clearTimeout(clock);
    const element = document.getElementById("countdown");
    if (!element) return;
    const { left, pattern, due, units } = element.dataset;
    if (countdown.left !== left) countdown = { left, end: performance.now() + Number(left) };
    const rest = Math.max(0, countdown.end - performance.now());
    const seconds = Math.ceil(rest / 1000);
    const text = seconds ? pattern.replace("{duration}", duration(seconds, JSON.parse(units))) : due;
    if (element.textContent !== text) element.textContent = text;
    if (seconds) clock = setTimeout(count, rest % 1000 + 10);
  };

  // Shows the fields whose conditions hold. The value of a field that is not shown meets no condition.
  const sent = (name) => {
    const controls = [...document.getElementsByName(name)];
    const control = controls.find(({ type }) => type === "radio") ? controls.find(({ checked }) => checked) : controls[0];
    if (!control) return null;
    return control.type === "checkbox" ? String(control.checked) : control.value.trim();
  };
  const meets = (text, value) => text === value || (text !== "" && value !== "" && Number(text) === Number(value));
  const adapt = () => {
    const hidden = new Map();
    for (const field of document.querySelectorAll("[data-shown-if]")) hidden.set(field, JSON.parse(field.dataset.shownIf));
    const all = [...hidden.keys()];
    const holds = ({ name, values }) => {
      const text = sent(name);
      const field = document.getElementsByName(name)[0]?.closest(".field");
      return text !== null && !hidden.has(field) && values.some((value) => meets(text, value));
    };
    let isChanging = true;
    while (isChanging) {
      isChanging = false;
      for (const [field, conditions] of hidden) if (conditions.every(holds)) isChanging = hidden.delete(field);
    }
    for (const field of all) {
      field.hidden = hidden.has(field);
      for (const note of field.querySelectorAll(".condition")) note.hidden = true;
    }
  };

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

  // Adapts the page to what is on it. The other scripts do the same when they hear of it.
  const prepare = () => {
    count();
    adapt();
    for (const button of document.querySelectorAll("[data-reveals]")) {
      button.hidden = false;
      reveal(button, document.getElementById(button.dataset.reveals)?.type === "text");
    }
    document.dispatchEvent(new Event("prepared"));
  };
  // Enter in a field whose form asks first opens the question instead of pressing the button behind it.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || !event.target.matches("#answer input") || !document.getElementById("entered")) return;
    event.preventDefault();
    const question = document.querySelector("#actions summary.primary")?.parentElement;
    if (!question) return;
    question.open = true;
    question.querySelector("button").focus();
  });

  // Saves what is being typed with the flow, so that it survives a reload and appears in other renderers. Never saves
  // a password.
  let timer = null;
  const keepDraft = async (changed = []) => {
    const form = document.getElementById("answer");
    if (!form || !data().draft || isLeaving) return;
    const typed = new URLSearchParams(new FormData(form));
    for (const secret of form.querySelectorAll("input[data-secret]")) {
      typed.delete(secret.name);
      if ("typed" in secret.dataset && secret.value) typed.append("filled", secret.name);
    }
    // Untouched fields are not part of the draft.
    const touched = form.querySelectorAll("[data-typed]:not([data-secret])");
    for (const name of new Set([...changed, ...[...touched].map((control) => control.name)])) typed.append("touched", name);
    typed.append("page", self);
    await fetch(data().draft, { method: "POST", body: typed, keepalive: true }).catch(() => {});
    // What was wrong and has been corrected no longer is.
    if (form.querySelector(".wrong") && !isLeaving) await refresh();
  };
  document.addEventListener("input", ({ target }) => {
    adapt();
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

  document.addEventListener("submit", (event) => {
    clearTimeout(timer);
    if (event.submitter?.name === "row") {
      event.preventDefault();
      changeRows(event.target, event.submitter);
      return;
    }
    // The phone goes on with what has been typed so far.
    if (event.target.id === "phone") keepDraft();
    isLeaving = true;
    // Browsers remember what was typed into a text, but not a password.
    for (const button of document.querySelectorAll("[data-reveals]")) reveal(button, false);
    if (event.target.id !== "back") return;
    event.preventDefault();
    goBack(event.target);
  });
  document.addEventListener("visibilitychange", listen);
  window.addEventListener("pagehide", () => source?.close());
  window.addEventListener("pageshow", async (event) => {
    isLeaving = false;
    const before = memory("at");
    const isTraversal = event.persisted || performance.getEntriesByType("navigation")[0]?.type === "back_forward";
    // A page restored from the back/forward cache is outdated.
    if (event.persisted && data().here) {
      try {
        await show(await load(location.pathname + location.search));
      } catch { /* The server is away. */ }
    }
    // A notice is shown once.
    const query = new URLSearchParams(location.search);
    if (query.has("notice")) {
      query.delete("notice");
      history.replaceState(history.state, "", location.pathname + (query.size ? "?" + query : "") + location.hash);
    }
    remember();
    if (!event.persisted) prepare();
    if ("awaited" in data()) awaitPage();
    await arrive(isTraversal, before);
    listen();
  });

  globalThis.coordinator = {
    load, show, begin, sayWhetherAway,
    data, isLeaving: () => isLeaving,
    // Adds a function that returns a part of the query of a new version of the page.
    want: (query) => { wishes.push(query); },
  };
})();
