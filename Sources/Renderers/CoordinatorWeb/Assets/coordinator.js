// Updates a page live without overwriting what is being typed, and maps the browser's Back to the flow's. Everything
// works without this script as well, by GET and POST alone.
"use strict";
(() => {
  const { morph } = coordinator;
  const main = () => document.querySelector("main");
  const data = () => main().dataset;
  // Identifies this page, so that it recognizes its own drafts.
  const self = Math.random().toString(36).slice(2);
  let isLeaving = false;

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
    // It may be a page of another run, with events of its own.
    coordinator.follow();
  };

  // What a new version of the page has to show as well. The other scripts say it.
  const wishes = [];
  const wanted = () => new URLSearchParams(wishes.flatMap((wish) => [...wish()]));

  // Requests of other scripts whose answers also are new versions of the page, as promises; null while there is none.
  const others = [];
  const running = () => others.map((other) => other()).find(Boolean);

  const refresh = async (notice) => {
    try {
      let query, loaded;
      do {
        // A version from before their answer would undo what they have sent.
        while (running()) await running();
        query = wanted();
        const noticed = notice ? [...query, ["notice", notice]] : [...query];
        loaded = await load(data().tree + (noticed.length ? "?" + new URLSearchParams(noticed) : ""));
      } while (running() || String(wanted()) !== String(query));
      await show(loaded);
    } catch {
      // The server is away; the event stream reports when it is back.
    }
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

  // Posts a form without leaving the page, and returns the response of the resulting page. On failure, shows that the
  // server is away and returns null.
  const post = async (form) => {
    isLeaving = true;
    try {
      const response = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
      if (response.status < 500) return response;
    } catch { /* The server is away. */ }
    isLeaving = false;
    sayWhetherAway(true);
    return null;
  };

  // Handles the page's Back. Uses the browser's history if the previous entry is the resulting screen. If the flow stays
  // where it is, the page says why, and keeps what is typed.
  const goBack = async (form) => {
    const response = await post(form);
    if (!response) return;
    const { pathname, search } = new URL(response.url);
    if (pathname === data().here) {
      isLeaving = false;
      await show({ response, page: new DOMParser().parseFromString(await response.text(), "text/html") });
    } else if (memory("page." + (number() - 1)) === pathname && !search) history.back();
    else location.replace(pathname + search);
  };

  // If the browser's Back led from the top screen to one below it, makes the flow go back as well.
  const arrive = async (isTraversal, before) => {
    const form = document.getElementById("return");
    if (!isTraversal || !form || before !== data().above) return;
    const response = await post(form);
    if (!response) return;
    const { pathname, search } = new URL(response.url);
    location.replace(pathname + search);
  };

  // Adapts the page to what is on it: the other scripts do so when they hear of it.
  const prepare = () => document.dispatchEvent(new Event("prepared"));

  document.addEventListener("submit", (event) => {
    // Another script does it without leaving the page.
    if (event.defaultPrevented) return;
    isLeaving = true;
    if (event.target.id !== "back") return;
    event.preventDefault();
    goBack(event.target);
  });
  window.addEventListener("pageshow", async (event) => {
    isLeaving = false;
    // What this tab showed before: the script that is read before the page is drawn has noted it.
    const before = event.persisted ? memory("at") : coordinatorMotion.before;
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
    coordinator.listen();
  });

  // At once, so that it counts however soon its user leaves the page.
  remember();

  Object.assign(coordinator, {
    load, show, refresh, sayWhetherAway, data, self, isLeaving: () => isLeaving,
    // Adds a function that returns a part of the query of a new version of the page.
    want: (query) => { wishes.push(query); },
    // Adds a function that returns the promise of a running request whose answer is a new version of the page, or null.
    awaitOther: (other) => { others.push(other); },
  });
})();
