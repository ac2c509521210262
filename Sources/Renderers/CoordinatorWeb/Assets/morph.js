// Makes a page equal to its new version without overwriting what is being typed.
"use strict";
(() => {
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

  globalThis.coordinator = { begin, morph };
})();
