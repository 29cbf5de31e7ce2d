/** Which of the places that show the panel is used. */
import { describe, expect, it } from "vitest";
import { Emitter } from "../../../src/core/lifecycle.ts";
import type { Draft } from "../../../src/shared/protocol.ts";
import { LazyService } from "../../../src/vscode/lazy-service.ts";
import type { Drafts } from "../../../src/vscode/panel/drafts.ts";
import { Panels } from "../../../src/vscode/panel/panels.ts";
import { hasSecondaryContainers } from "../../../src/vscode/panel/secondary-containers.ts";
import type { OpenView, PanelView } from "../../../src/vscode/panel/views/panel-view.ts";

interface FakeTab {
  panelView: PanelView;
  visible: boolean;
  notify(name: string): void;
  reveal(keepFocus: boolean): void;
  close(): void;
}

/** A view that shows the session, whose kept drafts go into `kept`. */
async function panelViewOf(session: string, kept: string[] = []): Promise<PanelView> {
  const current: Draft = { text: `of ${session}`, after: "", at: 1, images: [] };
  const drafts = { current, keep: ({ text }: Draft) => void kept.push(text) } as unknown as Drafts;
  const panelView: PanelView = new LazyService(
    async () => ({ view: { active: { id: session } }, drafts, close: async () => {} }) as unknown as OpenView,
  );
  await panelView.get();
  return panelView;
}

async function places() {
  const said: string[] = [];
  const kept: string[] = [];
  const [viewChanged, tabsChanged] = [new Emitter<void>(), new Emitter<void>()];
  const view = {
    panelView: await panelViewOf("view", kept),
    visible: true,
    onVisible: viewChanged.on,
    badge: (texts: readonly string[]) => void said.push(`badge ${texts}`),
    show: async (from: string) => void said.push(`view show ${from}`),
    focus: async () => void said.push("view focus"),
    notify: (name: string) => void said.push(`view ${name}`),
    dispose: () => {},
  };
  const all: FakeTab[] = [];
  const tabs = {
    all,
    get last() {
      return all.findLast(({ visible }) => visible);
    },
    onChange: tabsChanged.on,
    open: async (session: string | undefined, from?: OpenView) => {
      said.push(`open ${session}${from ? " with its draft" : ""}`);
      return session !== "elsewhere";
    },
    dispose: () => {},
  };
  /** A tab appears, and is active. */
  const add = async (name: string) => {
    const tab: FakeTab = {
      panelView: await panelViewOf(name, kept),
      visible: true,
      notify: (what) => void said.push(`${name} ${what}`),
      reveal: (keepFocus) => void said.push(`${name} reveal ${keepFocus}`),
      close: () => {},
    };
    all.push(tab);
    tabsChanged.emit();
    return tab;
  };
  return { panels: new Panels(view, tabs), view, tabs, said, kept, add, viewChanged, tabsChanged };
}

describe("what is asked of the panel", () => {
  it("goes to the side bar, unless the user last was in a tab that is visible: then to that one of them", async () => {
    const { panels, view, tabs, said, add } = await places();
    const used: (string | undefined)[] = [];
    panels.onView(() => used.push(panels.panelView.current?.view.active.id));
    await panels.focus();
    panels.notify("history/show", {});
    expect(said.splice(0)).toEqual(["view focus", "view history/show"]);
    await add("one");
    const two = await add("two");
    // They are active, as a tab also is when what covered it is closed.
    panels.notify("history/show", {});
    expect(said.splice(0)).toEqual(["view history/show"]);
    panels.enter(two.panelView);
    panels.notify("history/show", {});
    await panels.focus();
    await panels.show("editor");
    expect(said.splice(0)).toEqual(["two history/show", "two reveal false", "two reveal true"]);
    panels.enter(view.panelView);
    panels.notify("history/show", {});
    expect(said.splice(0)).toEqual(["view history/show"]);
    expect(used).toEqual(["view", "view", "two", "view"]);
    // A button in the title of a tab.
    panels.enterTab();
    panels.notify("history/show", {});
    expect(said.splice(0)).toEqual(["two history/show"]);
    view.visible = false;
    panels.notify("history/show", {});
    expect(said.splice(0)).toEqual(["two history/show"]);
    for (const tab of tabs.all.slice(1)) tab.visible = false;
    panels.notify("history/show", {});
    expect(said.splice(0)).toEqual(["one history/show"]);
  });

  it("returns to the side bar when the tabs are closed or covered", async () => {
    const { panels, said, add } = await places();
    const one = await add("one");
    panels.enter(one.panelView);
    one.visible = false;
    panels.notify("history/show", {});
    expect(said).toEqual(["view history/show"]);
  });

  it("opens the session in use with its unsent text in a tab, any other one as it is, and says if it cannot", async () => {
    const { panels, view, said, add } = await places();
    await panels.openInEditor();
    panels.enter((await add("one")).panelView);
    expect(await panels.openInEditor("other")).toBe(true);
    await panels.openInEditor();
    panels.enter(view.panelView);
    expect(await panels.openInEditor("elsewhere")).toBe(false);
    expect(said).toEqual([
      "open view with its draft",
      "open other",
      "open one with its draft",
      "open elsewhere",
    ]);
  });

  it("shows the place that has a session, if one has it", async () => {
    const { panels, said, add } = await places();
    await add("one");
    expect(await panels.reveal("none")).toBe(false);
    expect(await panels.reveal("view")).toBe(true);
    expect(panels.panelView.current?.view.active.id).toBe("view");
    expect(await panels.reveal("one")).toBe(true);
    expect(panels.panelView.current?.view.active.id).toBe("one");
    expect(said).toEqual(["view focus", "one reveal false"]);
  });

  it("shares a draft with the places that show the same session, also where they are hidden", async () => {
    const { panels, view, tabs, said, kept, add } = await places();
    const share = () => panels.shareDraft(view.panelView, { text: "a", after: "" });
    await add("one");
    share();
    expect([said, kept]).toEqual([[], []]);
    await add("view");
    share();
    expect([said, kept]).toEqual([["view composer/draft"], ["of view"]]);
    for (const tab of tabs.all) tab.visible = false;
    share();
    // One that is hidden holds it until it is shown again.
    expect([said, kept]).toEqual([
      ["view composer/draft", "view composer/draft"],
      ["of view", "of view"],
    ]);
  });

  it("is visible wherever it is, and says when that changes", async () => {
    const { panels, view, viewChanged, add } = await places();
    let changes = 0;
    panels.onVisible(() => changes++);
    expect(panels.sees("view")).toBe(true);
    view.visible = false;
    viewChanged.emit();
    expect(panels.visible).toBe(false);
    expect(panels.sees("view")).toBe(false);
    await add("one");
    expect(panels.visible).toBe(true);
    expect(panels.sees("one")).toBe(true);
    expect(changes).toBe(2);
  });
});

it("knows which versions of VS Code have containers in the secondary side bar", () => {
  const known = ["1.100.3", "1.105.1", "1.106.0", "1.139.1", "1.107.0-insider", "2.0.0"];
  expect(known.filter(hasSecondaryContainers)).toEqual(["1.106.0", "1.139.1", "1.107.0-insider", "2.0.0"]);
});
