// Shows who else is there and who is typing, marks what others have typed, and keeps what was typed when somebody else
// answered.
"use strict";
(() => {
  const main = () => document.querySelector("main");
  const people = () => document.getElementById("people");
  const controls = () => document.querySelectorAll("#answer .field input:not([type=hidden]), #answer textarea, #answer select");
  let until = null;

  const settle = () => { if (people()) people().textContent = people().dataset.people; };

  document.addEventListener("listening", ({ detail: source }) => {
    source.addEventListener("people", ({ data }) => {
      if (!people()) return;
      people().dataset.people = JSON.parse(data).text;
      if (!until) settle();
    });
    source.addEventListener("typing", ({ data }) => {
      if (!people()) return;
      clearTimeout(until);
      people().textContent = JSON.parse(data).text;
      until = setTimeout(() => { until = null; settle(); }, 4000);
    });
  });

  // A mark says who has typed what is in a field. As soon as its user edits the field, it is their own; if the others go on
  // typing there, the mark says what, because the field keeps what its user types.
  const review = () => {
    for (const mark of document.querySelectorAll(".mark")) {
      const control = document.getElementById(mark.dataset.of);
      if (!control || !("typed" in control.dataset)) continue;
      const isOther = mark.dataset.text !== undefined && mark.dataset.text !== control.value && mark.dataset.text !== control.dataset.base;
      mark.hidden = !isOther;
      if (isOther) mark.textContent = mark.dataset.differs;
    }
  };
  document.addEventListener("input", ({ target }) => {
    const mark = target.id && document.getElementById(target.id + "-mark");
    // What the others had typed when this user began.
    if (mark && target.dataset.base === undefined) target.dataset.base = mark.dataset.text ?? "";
    review();
  });
  document.addEventListener("prepared", review);

  // What was typed into a page that another one replaces, because somebody else has answered. Never a secret.
  const typed = () => [...controls()]
    .filter((control) => "typed" in control.dataset && !("secret" in control.dataset) && !["radio", "checkbox"].includes(control.type))
    .filter(({ value }) => value.trim()).map(({ value }) => value);
  // It belongs to the flow that it was typed into: the next run may be for somebody else.
  const kept = (unsent) =>
    unsent === undefined ? JSON.parse(sessionStorage.getItem("coordinator.unsent")) :
      sessionStorage.setItem("coordinator.unsent", JSON.stringify(unsent));
  document.addEventListener("replacing", () => {
    const texts = typed();
    if (texts.length) kept({ tree: main().dataset.tree, texts });
  });
  const showUnsent = () => {
    const saved = kept();
    const { tree, unsent, copy } = main().dataset;
    if (saved && tree && saved.tree !== tree) return kept(null);
    if (!saved || !unsent || document.getElementById("unsent")) return;
    const { texts } = saved;
    const box = document.createElement("p");
    box.id = "unsent";
    box.className = "notice unsent";
    box.setAttribute("role", "status");
    box.append(unsent + " ");
    const quote = document.createElement("q");
    quote.textContent = texts.join("\n");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "aside-button";
    button.textContent = copy;
    button.addEventListener("click", async () => {
      await navigator.clipboard?.writeText(texts.join("\n")).catch(() => {});
      getSelection().selectAllChildren(quote);
    });
    box.append(quote, " ", button);
    document.getElementById("title")?.before(box);
  };
  document.addEventListener("prepared", showUnsent);
  // With the next answer of their own, users have gone on.
  document.addEventListener("submit", ({ target }) => { if (target.id === "answer" || target.id === "back") kept(null); });
})();
