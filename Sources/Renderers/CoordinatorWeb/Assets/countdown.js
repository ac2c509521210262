// Counts down to what happens by itself.
"use strict";
(() => {
  // The end of the countdown is computed whenever the page says how much is left.
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
  document.addEventListener("prepared", count);
})();
