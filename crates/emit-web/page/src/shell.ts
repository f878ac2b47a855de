// The frame around the views: title, tabs, language and theme, notices, keys.
import type { Page } from "./data/page";
import type { Runs } from "./data/runs";
import { choiceButtons } from "./ui/choices";
import { h, put } from "./ui/dom";
import * as i18n from "./ui/i18n";
import { t } from "./ui/i18n";
import { noticeText } from "./ui/notices";
import * as state from "./ui/state";
import * as theme from "./ui/theme";
import { upLink } from "./ui/up";
import { views } from "./views/all";
import { runsViews, sideNames } from "./views/runs";
import { RUNS } from "./views/runs/texts";
import { unfold } from "./views/overview/topic";
import type { Shell, SliceRef, View } from "./views/view";

const TEXTS = {
  tabs: ["Views", "视图"],
  dismiss: ["Dismiss", "关闭提示"],
} as const;

interface Mounted {
  view: View;
  tab: HTMLElement;
  panel: HTMLElement;
}

/** Keys of what is selected in one run: they mean nothing in the other. */
const OF_RUN = ["tl.view", "tl.range", "tl.slice", "tl.pin", "tl.order", "tl.notes", "m.range", "l.range", "l.at", "w.scale", "tw.only", "tw0.view", "tw0.range", "tw0.slice", "tw0.pin", "tw0.order", "tw1.view", "tw1.range", "tw1.slice", "tw1.pin", "tw1.order"];

/** `pages` are those of the two runs, or the only one. */
export function mountShell(app: HTMLElement, pages: Page[], runs: Runs | null): void {
  theme.apply();
  document.title = `${[...new Set(pages.map((page) => page.head.source))].join(" → ")} · bigtpuprofile`;
  let mounted: Mounted[] = [];
  let page = pages[0]!;

  const shell: Shell = {
    get page() {
      return page;
    },
    open: (id) => open(id),
    showSlice: (slice: SliceRef) => {
      open("timeline");
      find("timeline")?.view.goTo?.(slice);
    },
    showRange: (start, end, slice) => {
      open("timeline");
      find("timeline")?.view.goTo?.({ start, end, slice });
    },
    find: (filter) => {
      state.set(filter);
      open("find");
    },
  };

  function find(id: string): Mounted | undefined {
    return mounted.find((m) => m.view.id === id);
  }

  function open(id: string): void {
    const chosen = find(id) ?? mounted[0]!;
    for (const m of mounted) {
      const on = m === chosen;
      m.tab.setAttribute("aria-selected", String(on));
      m.tab.tabIndex = on ? 0 : -1;
      m.panel.hidden = !on;
    }
    state.set({ tab: chosen.view.id });
    if (!chosen.panel.hasChildNodes()) chosen.view.mount(chosen.panel, shell);
    chosen.view.show?.();
  }

  function render(): void {
    page = pages[Number(state.get("run"))] ?? pages[0]!;
    const list = [...(runs ? runsViews(runs) : []), ...views()];
    mounted = list.map((view) => ({
      view,
      tab: h("button", { role: "tab", id: `tab-${view.id}`, "aria-controls": `panel-${view.id}`, onclick: () => open(view.id) }, t(view.title)),
      panel: h("section", { role: "tabpanel", id: `panel-${view.id}`, class: `view ${view.id}`, "aria-labelledby": `tab-${view.id}` }),
    }));
    const tabs = h("nav", { role: "tablist", "aria-label": t(TEXTS.tabs) }, ...mounted.map((m) => m.tab));
    tabs.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const at = mounted.findIndex((m) => m.tab === document.activeElement);
      const next = mounted[(at + step + mounted.length) % mounted.length]!;
      open(next.view.id);
      next.tab.focus();
      event.stopPropagation();
    });
    const { head } = page;
    const sources = [...new Set(pages.map((each) => each.head.source))].join(" → ");
    const header = h("header", null, upLink(),
      h("h1", null, h("b", null, head.chip.name), h("span", { class: "source", title: sources }, sources)),
      tabs,
      h("div", { class: "tools" },
        runs && runSwitch(runs),
        ...choiceButtons({ language: render, theme: redraw }),
      ),
    );
    const notices = h("div", { class: "notices" }, ...head.notices.map((n) => {
      const line: HTMLElement = h("p", null, noticeText(n.key, n.args), h("button", { class: "quiet", title: t(TEXTS.dismiss), "aria-label": t(TEXTS.dismiss), onclick: () => line.remove() }, "✕"));
      return line;
    }));
    put(app, header, head.notices.length > 0 && notices, h("main", null, ...mounted.map((m) => m.panel)));
    open(state.get("tab"));
  }

  /** Which run the views of one run show. */
  function runSwitch(both: Runs): HTMLElement {
    return h("span", { class: "runs-switch", role: "group", "aria-label": t(RUNS.run), title: t(RUNS.run) }, ...sideNames(both).map((name, side) =>
      h("button", { class: "tl-chip", "aria-pressed": String(page === pages[side]), onclick: () => {
        state.set({ run: side === 0 ? "" : String(side), ...Object.fromEntries(OF_RUN.map((key) => [key, ""])) });
        render();
      } }, name)));
  }

  /** Scrolls to the panel that a link names. */
  function showPanel(): void {
    const panel = state.get("at") && document.getElementById(state.get("at"));
    if (!panel) return;
    unfold(panel);
    panel.scrollIntoView();
  }

  function redraw(): void {
    for (const m of mounted) if (m.panel.hasChildNodes()) m.view.redraw?.();
  }

  i18n.choose(i18n.current());
  render();
  showPanel();
  state.listen(() => {
    theme.apply();
    if (page !== (pages[Number(state.get("run"))] ?? pages[0])) render();
    open(state.get("tab"));
    showPanel();
  });
  // Paper is light; what is drawn on a canvas has the colours of when it was drawn.
  for (const [event, paper] of [["beforeprint", true], ["afterprint", false]] as const) {
    window.addEventListener(event, () => {
      theme.apply(paper ? "light" : undefined);
      redraw();
    });
  }
  window.addEventListener("resize", () => {
    for (const m of mounted) if (!m.panel.hidden) m.view.redraw?.();
  });
}
