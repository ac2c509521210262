// Makes a choice among many searchable: a combobox (ARIA Authoring Practices, "Combobox with list autocomplete") in
// front of the page's own control, which keeps the value. Touch screens keep their own way to choose.
"use strict";
(() => {
  const { folded, marks, marked } = coordinator.matching;

  class Combobox {
    constructor(select) {
      this.select = select;
      this.box = document.createElement("div");
      this.box.id = select.id + "-combo";
      this.box.className = "combo";
      this.box.dataset.added = "";
      this.input = document.createElement("input");
      this.list = document.createElement("ul");
      this.list.id = select.id + "-list";
      this.list.hidden = true;
      this.list.setAttribute("role", "listbox");
      this.nothing = document.createElement("p");
      this.nothing.className = "combo-nothing";
      this.nothing.hidden = true;
      this.nothing.setAttribute("role", "status");
      const attributes = {
        id: select.id + "-search", type: "text", role: "combobox", autocomplete: "off", spellcheck: "false", autocapitalize: "none",
        dir: "auto", "aria-autocomplete": "list", "aria-controls": this.list.id, "aria-expanded": "false",
      };
      for (const [name, value] of Object.entries(attributes)) this.input.setAttribute(name, value);
      this.box.append(this.input, this.list, this.nothing);
      this.active = -1;
      this.isFiltered = false;
      this.input.addEventListener("focus", () => this.input.select());
      this.input.addEventListener("click", () => this.open());
      this.input.addEventListener("blur", () => this.leave());
      this.input.addEventListener("input", () => {
        this.isFiltered = true;
        this.open();
        this.take(this.exact());
      });
      this.input.addEventListener("keydown", (event) => this.press(event));
      // Keeps the focus in the text field.
      this.list.addEventListener("mousedown", (event) => event.preventDefault());
      this.list.addEventListener("click", ({ target }) => {
        const option = target.closest("[role=option]");
        if (option) this.choose(Number(option.dataset.index));
      });
      // A link in the summary of errors leads to the page's own control.
      select.addEventListener("focus", () => this.input.focus());
    }

    get options() { return [...this.select.options]; }

    // Shows what the page's own control says, which may have changed.
    follow() {
      const { select, input } = this;
      const field = select.closest(".field");
      if (this.box.parentElement !== field) field.append(this.box);
      select.classList.add("aside");
      select.tabIndex = -1;
      select.setAttribute("aria-hidden", "true");
      const label = field.querySelector(`label[for="${select.id}"]`);
      if (label) label.htmlFor = input.id;
      for (const name of ["aria-describedby", "aria-invalid"]) {
        const value = select.getAttribute(name);
        if (value === null) input.removeAttribute(name);
        else input.setAttribute(name, value);
      }
      if (select.required) input.setAttribute("aria-required", "true");
      input.disabled = select.disabled;
      input.placeholder = this.options[0]?.textContent ?? "";
      this.list.setAttribute("aria-label", label?.textContent ?? "");
      if (document.activeElement !== input) this.restore();
      else if (!this.list.hidden) this.draw();
    }

    restore() {
      this.input.value = this.select.value ? this.select.selectedOptions[0]?.textContent ?? "" : "";
      this.isFiltered = false;
    }

    exact() {
      const text = folded(this.input.value.trim());
      if (!text) return this.options.findIndex(({ value }) => value === "");
      return this.options.findIndex((option) => option.value && folded(option.textContent) === text);
    }

    // Gives the page's own control a value, as if its user had chosen it.
    take(index) {
      const { select } = this;
      if (index < 0 || select.selectedIndex === index) return;
      select.selectedIndex = index;
      select.dispatchEvent(new Event("input", { bubbles: true }));
      select.dispatchEvent(new Event("change", { bubbles: true }));
    }

    choose(index) {
      this.take(index);
      this.restore();
      this.close();
      this.input.select();
    }

    leave() {
      this.take(this.exact());
      this.restore();
      this.close();
    }

    draw() {
      const text = this.isFiltered ? this.input.value : "";
      const found = this.options
        .map((option, index) => ({ option, index, marks: marks(option.textContent, text) }))
        .filter(({ option, marks }) => marks && (option.value || (!text && "optional" in this.select.dataset)));
      this.list.replaceChildren(...found.map(({ option, index, marks }) => {
        const item = document.createElement("li");
        item.id = `${this.list.id}-${index}`;
        item.dataset.index = index;
        item.dir = "auto";
        item.setAttribute("role", "option");
        item.setAttribute("aria-selected", String(option.selected));
        item.append(...marked(option.textContent, marks));
        return item;
      }));
      this.list.hidden = found.length === 0;
      this.nothing.hidden = found.length > 0;
      this.nothing.textContent = found.length ? "" : this.select.dataset.nothing ?? "";
      const chosen = found.findIndex(({ option }) => option.selected);
      this.activate(text ? 0 : Math.max(chosen, 0));
    }

    activate(index) {
      const items = [...this.list.children];
      this.active = items.length ? (index + items.length) % items.length : -1;
      for (const [place, item] of items.entries()) item.classList.toggle("active", place === this.active);
      const item = items[this.active];
      if (!item) return this.input.removeAttribute("aria-activedescendant");
      this.input.setAttribute("aria-activedescendant", item.id);
      item.scrollIntoView({ block: "nearest" });
    }

    get isOpen() { return this.input.getAttribute("aria-expanded") === "true"; }

    open() {
      if (this.input.disabled) return;
      this.input.setAttribute("aria-expanded", "true");
      this.draw();
      this.list.scrollIntoView({ block: "nearest" });
    }

    close() {
      this.input.setAttribute("aria-expanded", "false");
      this.input.removeAttribute("aria-activedescendant");
      this.list.hidden = true;
      this.nothing.hidden = true;
    }

    press(event) {
      if (event.isComposing || event.ctrlKey || event.metaKey) return;
      const { key } = event;
      if (!this.isOpen) {
        if (key !== "ArrowDown" && key !== "ArrowUp") return;
        event.preventDefault();
        this.open();
        return;
      }
      const last = this.list.children.length - 1;
      switch (key) {
        case "ArrowDown": this.activate(this.active + 1); break;
        case "ArrowUp": this.activate(this.active - 1); break;
        case "PageDown": this.activate(Math.min(this.active + 8, last)); break;
        case "PageUp": this.activate(Math.max(this.active - 8, 0)); break;
        case "Enter": {
          const item = this.list.children[this.active];
          if (item) this.choose(Number(item.dataset.index));
          break;
        }
        case "Escape":
          this.restore();
          this.close();
          break;
        default: return;
      }
      event.preventDefault();
    }
  }

  const boxes = new WeakMap();
  document.addEventListener("prepared", () => {
    if (matchMedia("(pointer: coarse)").matches) return;
    for (const select of document.querySelectorAll(".field select")) {
      if (!boxes.has(select)) boxes.set(select, new Combobox(select));
      boxes.get(select).follow();
    }
  });
})();
