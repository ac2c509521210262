// Makes a page live: shows at once what happens elsewhere, never over what is being typed, and makes the browser's Back that of the flow.
// Without it everything works, by GET and POST alone.
"use strict";
(() => {
  const main = () => document.querySelector("main");
  const data = () => main().dataset;
  // How this page calls itself, to know its own drafts again.
  const self = Math.random().toString(36).slice(2);
  let isLeaving = false;
  let source = null;
  let again = null;

  // Where this tab is: the page it shows, and its number in the tab's history.
  const memory = (name, value) =>
    value === undefined ? sessionStorage.getItem("coordinator." + name) : sessionStorage.setItem("coordinator." + name, value);
  const number = () => history.state?.number ?? 0;
  const remember = () => {
    if (history.state?.number === undefined) history.replaceState({ number: Number(memory("number") ?? 0) + 1 }, "");
    memory("number", number());
    memory("page." + number(), data().here ?? "");
    memory("at", data().here ?? "");
  };

  const isTyped = (element) =>
    element.matches("input:not([type=hidden]), textarea, select") &&
    ("typed" in element.dataset || element === document.activeElement);

  // Makes one tree of elements like another, and leaves alone what somebody is typing in.
  const morph = (old, next) => {
    if (old.nodeType !== next.nodeType || old.nodeName !== next.nodeName || old.id !== next.id) return old.replaceWith(next);
    if (old.nodeType !== Node.ELEMENT_NODE) {
      if (old.data !== next.data) old.data = next.data;
      return;
    }
    const isKept = isTyped(old);
    const own = (name) => isKept && (name === "value" || name === "checked" || name === "data-typed");
    for (const { name } of [...old.attributes]) if (!next.hasAttribute(name) && !own(name)) old.removeAttribute(name);
    for (const { name, value } of next.attributes) if (old.getAttribute(name) !== value && !own(name)) old.setAttribute(name, value);
    if (isKept) return;
    if (old.nodeName === "INPUT") [old.value, old.checked] = [next.value, next.checked];
    if (old.nodeName === "PROGRESS" && !next.hasAttribute("value")) old.removeAttribute("value");
    let place = old.firstChild;
    for (const child of [...next.childNodes]) {
      const match = child.id ? [...old.children].find((element) => element.id === child.id)
        : place && !place.id && place.nodeName === child.nodeName ? place : null;
      if (!match) {
        old.insertBefore(child, place);
        continue;
      }
      while (place && place !== match) {
        const gone = place;
        place = place.nextSibling;
        gone.remove();
      }
      place = match.nextSibling;
      morph(match, child);
    }
    while (place) {
      const gone = place;
      place = place.nextSibling;
      gone.remove();
    }
    if (old.nodeName === "TEXTAREA" || old.nodeName === "SELECT") old.value = next.value;
  };

  // Throws if the server cannot make a page now.
  const load = async (url) => {
    const response = await fetch(url, { headers: { Accept: "text/html" } });
    if (response.status >= 500) throw new Error(response.statusText);
    return { response, page: new DOMParser().parseFromString(await response.text(), "text/html") };
  };

  const sayWhetherAway = (isAway) => { document.getElementById("away").hidden = !isAway; };

  // Shows what the server shows for a page now: in place if it is the same screen, else as another page.
  const show = ({ response, page }) => {
    const next = page.querySelector("main");
    if (!next || isLeaving) return;
    const isSame = next.dataset.here === data().here;
    document.title = page.title;
    document.documentElement.dir = page.documentElement.dir;
    if (isSame) {
      morph(main(), next);
    } else {
      main().replaceWith(next);
      const url = new URL(response.url);
      history.replaceState(history.state, "", url.pathname);
      document.getElementById("title")?.focus();
    }
    remember();
    prepare();
  };

  const refresh = async (notice) => {
    try {
      show(await load(data().tree + (notice ? "?notice=" + notice : "")));
    } catch {
      // The server is away; the events tell when it is back.
    }
  };

  // Events: only while somebody looks, since browsers open just a few connections to a host.
  const listen = () => {
    clearTimeout(again);
    source?.close();
    source = null;
    if (!data().events || document.hidden) return;
    source = new EventSource(data().events);
    source.addEventListener("window", (message) => {
      const { revision, screen, lost, held, notice } = JSON.parse(message.data);
      sayWhetherAway(lost);
      if (isLeaving || lost || (screen === 0 && !held)) return;
      const isHere = data().here === (held ? data().tree : data().tree + "/screens/" + screen);
      if (!isHere) refresh(notice);
      else if (Number(data().revision) !== revision || "away" in data()) refresh();
    });
    source.addEventListener("progress", (message) => {
      const { screen, fraction, text } = JSON.parse(message.data);
      const bar = document.getElementById("progress-bar");
      if (!bar || data().here !== data().tree + "/screens/" + screen) return;
      if (fraction === undefined) bar.removeAttribute("value");
      else bar.value = fraction;
      document.getElementById("progress-text").textContent = text ?? "Please wait";
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
      // Browsers ask again by themselves, but not after an answer that is no stream of events.
      if (source?.readyState === EventSource.CLOSED && !isLeaving) again = setTimeout(listen, 3000);
    });
    source.addEventListener("open", () => sayWhetherAway(false));
  };

  // A page that could not be made: tried until it can.
  const awaitPage = async () => {
    const url = data().awaited;
    try {
      await load(url);
      location.replace(url);
    } catch {
      setTimeout(awaitPage, 2000);
    }
  };

  // Posts a form without leaving the page, and tells where that led; nothing if it did not work, which the page then says.
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

  // The Back of the page: the same as that of the browser if that leads to the same screen.
  const goBack = async (form) => {
    const path = await post(form);
    if (path === null) return;
    if (memory("page." + (number() - 1)) === path) history.back();
    else location.replace(path);
  };

  // The Back of the browser has led from the screen on top to one below it: now the flow goes back as well.
  const arrive = async (isTraversal, before) => {
    const form = document.getElementById("return");
    if (!isTraversal || !form || before !== data().above) return;
    const path = await post(form);
    if (path !== null) location.replace(path);
  };

  // The rows of a long list that have the text in them that somebody looks for. It stands when rows come and go.
  const rows = () => [...document.querySelectorAll("#items > li")];
  const prepare = () => {
    const filter = document.getElementById("filter");
    if (!filter) return;
    const text = filter.querySelector("input").value.toLocaleLowerCase();
    filter.hidden = Number(filter.dataset.count) <= 10 && !text;
    for (const row of rows()) row.hidden = !row.textContent.toLocaleLowerCase().includes(text);
  };
  // Enter would press the first button of the page, whatever is shown: it chooses the only row that is left, or goes to the first one.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target.id !== "filter-text" || event.isComposing) return;
    event.preventDefault();
    const buttons = rows().filter((row) => !row.hidden).map((row) => row.querySelector("button"));
    if (buttons.length === 1) buttons[0].click();
    else buttons[0]?.focus();
  });

  // What is being typed is kept with the flow, so that a reload does not lose it, and the other renderers have it. Never a password.
  let timer = null;
  const keepDraft = () => {
    const form = document.getElementById("answer");
    if (!form || !data().draft || isLeaving) return;
    const typed = new URLSearchParams(new FormData(form));
    for (const secret of form.querySelectorAll("input[type=password]")) typed.delete(secret.name);
    // What nobody has touched is not part of it.
    const touched = form.querySelectorAll("[data-typed]:not([type=password])");
    for (const name of new Set([...touched].map((control) => control.name))) typed.append("touched", name);
    typed.append("page", self);
    fetch(data().draft, { method: "POST", body: typed, keepalive: true }).catch(() => {});
  };
  document.addEventListener("input", ({ target }) => {
    if (target.id === "filter-text") prepare();
    if (!target.closest("#answer")) return;
    const group = target.type === "radio" ? document.getElementsByName(target.name) : [target];
    for (const control of group) control.dataset.typed = "";
    clearTimeout(timer);
    timer = setTimeout(keepDraft, 400);
  });

  document.addEventListener("submit", (event) => {
    clearTimeout(timer);
    isLeaving = true;
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
    // A page out of the browser's memory shows what was, not what is.
    if (event.persisted && data().here) {
      try {
        show(await load(data().here));
      } catch { /* The server is away. */ }
    }
    if (location.search) history.replaceState(history.state, "", location.pathname);
    remember();
    if (!event.persisted) prepare();
    if ("awaited" in data()) awaitPage();
    await arrive(isTraversal, before);
    listen();
  });
})();
