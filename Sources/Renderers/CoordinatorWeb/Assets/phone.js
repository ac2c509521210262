// Goes from the page with a code back to the flow when a phone has used the code, and when it has expired.
"use strict";
(() => {
  const { data } = coordinator;
  const goBack = () => location.replace(data().tree);
  let expiry = null;

  document.addEventListener("listening", ({ detail: source }) => {
    source.addEventListener("entered", (message) => {
      if (data().code === String(JSON.parse(message.data).code)) goBack();
    });
  });
  document.addEventListener("prepared", () => {
    clearTimeout(expiry);
    if (data().lifetime) expiry = setTimeout(goBack, Number(data().lifetime));
  });
})();
