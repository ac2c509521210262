// Says from which side the next page comes, before it is drawn. Everything works without this script as well.
"use strict";
(() => {
  const paths = /^(.*\/flows\/[^/]+)(?:\/screens\/(\d+))?(\/(?:end|confirm))?$/;
  // What this tab showed before. Noted before the page can be seen, where browsers allow that, because its user may leave
  // it at once.
  const before = sessionStorage.getItem("coordinator.at");
  sessionStorage.setItem("coordinator.at", location.pathname);
  const remembered = sessionStorage.getItem("coordinator.drawn");
  const place = (path, isModal) => {
    const [, tree, screen, question] = paths.exec(path) ?? [];
    return { tree, screen: Number(screen ?? 0), isAsking: Boolean(question), isModal };
  };
  // Which way leads from one page to another.
  const way = (before, after) => {
    if (!before?.tree || before.tree !== after.tree) return null;
    const [from, to] = [before, after].map(({ isModal, isAsking }) => isModal || isAsking);
    if (from !== to) return to ? "rising" : "falling";
    // A flow that has ended has no screen, and comes after all others.
    const [old, next] = [before, after].map(({ screen }) => screen || Infinity);
    return old === next ? null : next > old ? "forwards" : "backwards";
  };
  const here = () => place(location.pathname, Boolean(document.querySelector("[role=dialog]")));
  const keep = () => sessionStorage.setItem("coordinator.drawn", JSON.stringify(here()));
  // Elements have a transition name only while they move. A transition that another one replaces ends at once.
  let last = null;
  const name = (transition) => {
    const { dataset } = document.documentElement;
    last = transition;
    dataset.moving = "";
    const stop = () => { if (last === transition) delete dataset.moving; };
    transition.finished.then(stop, stop);
  };
  addEventListener("pagereveal", ({ viewTransition }) => {
    if (!viewTransition) return;
    const type = remembered ? way(JSON.parse(remembered), here()) : null;
    if (!type) return viewTransition.skipTransition();
    viewTransition.types.add(type);
    name(viewTransition);
  });
  addEventListener("pagehide", keep);
  addEventListener("pageswap", ({ viewTransition }) => {
    keep();
    if (viewTransition) name(viewTransition);
  });

  // Changes the page, and shows where the new one comes from. Returns when the page has changed.
  const change = async (update, path, isModal) => {
    const type = way(here(), place(path, isModal));
    const isStill = !type || document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (isStill || !document.startViewTransition) return update();
    try {
      const transition = document.startViewTransition({ update, types: [type] });
      name(transition);
      // What is skipped, because the next page is already there, is no error.
      transition.ready.catch(() => {});
      await transition.updateCallbackDone;
    } catch (error) {
      // Older browsers take no types.
      if (!(error instanceof TypeError)) throw error;
      update();
    }
  };
  globalThis.coordinatorMotion = { before, change };
})();
