// Takes no click for an answer that was meant for the page before: on the same place, the next page may have another
// button. Keys are always taken, because people type ahead on purpose.
"use strict";
(() => {
  // How long a page that has replaced another one by itself takes no clicks: nobody sees and clicks sooner.
  const grace = 300;
  let hasBegun = false;
  let until = -Infinity;

  // A double click that has begun on the page before goes on here with its second click. Clicks by the keyboard, and by
  // assistive technology, have no number.
  document.addEventListener("click", (event) => {
    if (!event.isTrusted || event.detail === 0) return;
    const isRest = event.detail > 1 && !hasBegun;
    if (event.detail === 1) hasBegun = true;
    if (!isRest && performance.now() >= until) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
  document.addEventListener("replacing", () => {
    hasBegun = false;
    until = performance.now() + grace;
  });
})();
