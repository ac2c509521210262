// Says what changes by itself: to screen readers, and in the title of the window.
"use strict";
(() => {
  const live = () => document.getElementById("live");
  const bar = () => document.getElementById("progress-bar");
  let last = null;
  let timer = null;
  let told = 0;

  // Screen readers say a text when it has changed. Several in a short time would interrupt each other: the last one counts.
  const say = (text) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (live() && text && live().textContent !== text) live().textContent = text;
      told = performance.now();
    }, Math.max(100, 5000 - (performance.now() - told)));
  };
  const words = (selector) => document.querySelector(selector)?.textContent.trim() ?? "";
  const state = () => ({
    here: document.querySelector("main").dataset.here, isBusy: Boolean(bar()), progress: words("#progress-text"),
    notice: words("#notice"), messages: [...document.querySelectorAll(".message")].map(({ textContent }) => textContent.trim()),
    errors: words("#errors"), title: words("#title"),
  });

  // Compares the page with what it was before. Another screen is told by its title, which gets the focus.
  const compare = () => {
    const next = state();
    if (last && last.here === next.here) {
      const news = next.messages.filter((text) => !last.messages.includes(text));
      if (next.notice && next.notice !== last.notice) news.unshift(next.notice);
      if (next.errors && next.errors !== last.errors) news.unshift(next.errors);
      if (last.isBusy && !next.isBusy && !news.length) news.push(next.title);
      if (next.isBusy && next.progress !== last.progress) news.push(next.progress);
      if (news.length) {
        told = last.isBusy && !next.isBusy ? -Infinity : told;
        say(news.join(" "));
      }
    }
    last = next;
  };

  document.addEventListener("prepared", compare);
  // The title of the window has how much is done, so that it can be seen from another one. The words come from the server;
  // the number is made as there.
  document.addEventListener("progressed", ({ detail: { fraction, text } }) => {
    const { title, pattern } = bar().dataset;
    const percent = Math.floor(Math.min(Math.max(fraction, 0), 1) * 100 + 1e-9);
    document.title = fraction === undefined ? title : pattern.replace("{percent}", () => percent);
    if (text && text !== last?.progress) say(text);
    if (last) last.progress = text ?? "";
  });
})();
