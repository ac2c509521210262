// Finds the words of a text in another one, as the server does it for lists.
"use strict";
(() => {
  const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

  // Where the words of a text are in another one, as an array of Booleans for its characters; null if one is missing.
  // Letters with gaps between them count if the word does not occur as such.
  const marks = (text, sought) => {
    const characters = [...text].map(folded);
    const found = characters.map(() => false);
    for (const word of folded(sought).split(/\s+/).filter(Boolean)) {
      const starts = characters.map((_, index) => index).filter((index) => characters.slice(index).join("").startsWith(word));
      const start = starts.find((index) => index === 0 || !/[\p{L}\p{N}]/u.test(characters[index - 1])) ?? starts[0];
      if (start !== undefined) {
        for (let index = start, length = 0; length < word.length; index += 1) {
          found[index] = true;
          length += characters[index].length;
        }
        continue;
      }
      let index = 0;
      for (const letter of word) {
        index = characters.indexOf(letter, index);
        if (index < 0) return null;
        found[index] = true;
        index += 1;
      }
    }
    return found;
  };
  const marked = (text, found) => [...text].reduce((parts, character, index) => {
    const last = parts.at(-1);
    if (last && (last.nodeName === "MARK") === found[index]) last.append(character);
    else {
      const part = document.createElement(found[index] ? "mark" : "span");
      part.append(character);
      parts.push(part);
    }
    return parts;
  }, []);

  // Latin letters that the server writes with others, such as those that stand for two, are left after folding. A final
  // sigma depends on what follows.
  const isSure = (text) => !/[\u00C0-\u024F\u1E00-\u1EFF\u03C2]/.test(text);
  const hasLetters = (text, word) => {
    let index = -1;
    return [...word].every((letter) => (index = text.indexOf(letter, index + 1)) >= 0);
  };
  // Whether a row certainly lacks a word of what is sought, so that the server will not find it either.
  const lacks = (title, rest, sought) => {
    const [top, others, words] = [title, rest, sought].map(folded);
    return isSure(top + others + words) && words.split(/\s+/).filter(Boolean).some((word) =>
      !top.includes(word) && !others.includes(word) && (/^\d+$/.test(word) || !hasLetters(top, word)));
  };

  coordinator.matching = { folded, marks, marked, lacks };
})();
