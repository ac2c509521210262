// Shows the fields whose conditions hold.
"use strict";
(() => {
  // The value of a field that is not shown meets no condition.
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
  document.addEventListener("prepared", adapt);
  document.addEventListener("input", adapt);
})();
