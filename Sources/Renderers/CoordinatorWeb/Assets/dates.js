// Shows dates as readers of the page's language write them.
"use strict";
(() => {
  const words = (date, language) => {
    const [, day, time, zone] = /^(\d{4}-\d\d-\d\d)(?:[Tt ](.*?)([Zz]|[+-]\d\d:\d\d))?$/.exec(date) ?? [];
    if (!day) return null;
    // With the offset that the date itself has, since it may be meant for another place than this one.
    const options = time === undefined ? { dateStyle: "long", timeZone: "UTC" } :
      { dateStyle: "long", timeStyle: "short", timeZone: /[Zz]|[+-]00:00/.test(zone) ? "UTC" : zone };
    const value = new Date(time === undefined ? day : day + "T" + time + zone.toUpperCase());
    if (isNaN(value)) return null;
    const text = new Intl.DateTimeFormat(language, options).format(value);
    return time === undefined ? text : text + " (UTC" + (options.timeZone === "UTC" ? "" : zone) + ")";
  };
  document.addEventListener("prepared", () => {
    const { lang } = document.documentElement;
    for (const element of document.querySelectorAll("main time[datetime]")) {
      try {
        element.textContent = words(element.dateTime, lang) ?? element.textContent;
        element.lang = lang;
      } catch { /* The browser does not know the language or the offset: the numbers stay. */ }
    }
  });
})();
