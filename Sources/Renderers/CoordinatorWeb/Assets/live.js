// Follows the events of what the page shows.
"use strict";
(() => {
  const { data, isLeaving, refresh, sayWhetherAway, self } = coordinator;
  let source = null;
  let again = null;

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
      // A page beside the flow stays as long as the flow goes on.
      if (isLeaving() || lost || "aside" in data() || (screen === 0 && !held)) return;
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
      if (!isLeaving() && !lost) refresh();
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
      if (page !== self && !isLeaving() && data().here === data().tree + "/screens/" + screen) refresh();
    });
    source.addEventListener("ended", () => {
      source.close();
      if (!isLeaving()) refresh();
    });
    source.addEventListener("error", () => {
      sayWhetherAway(!isLeaving());
      // Browsers reconnect by themselves, but not after a response that is not an event stream.
      if (source?.readyState === EventSource.CLOSED && !isLeaving()) again = setTimeout(listen, 3000);
    });
    source.addEventListener("open", () => sayWhetherAway(false));
  };
  // Goes on with the events of another page, if the page that is shown now has others.
  const follow = () => { if (source && source.url !== new URL(data().events ?? "", location).href) listen(); };
  document.addEventListener("visibilitychange", listen);
  window.addEventListener("pagehide", () => source?.close());

  Object.assign(coordinator, { listen, follow });
})();
