/** Which of the places that show the panel is used. */
import { describe, expect, it } from "vitest";
import { Emitter } from "../../../src/core/lifecycle.ts";
import { Panels } from "../../../src/vscode/panel/panels.ts";
import { hasSecondaryContainers } from "../../../src/vscode/panel/secondary-containers.ts";

function places() {
  const said: string[] = [];
  const [viewChanged, tabsChanged] = [new Emitter<void>(), new Emitter<void>()];
  const view = {
    visible: true,
    onVisible: viewChanged.on,
    badge: (texts: readonly string[]) => void said.push(`badge ${texts}`),
    show: async (from: string) => void said.push(`view show ${from}`),
    focus: async () => void said.push("view focus"),
    notify: (name: string) => void said.push(`view ${name}`),
    dispose: () => {},
  };
  const tabs = {
    visible: false,
    active: false,
    onChange: tabsChanged.on,
    open: () => {
      tabs.visible = true;
      said.push("tabs open");
    },
    close: () => {
      tabs.visible = false;
      said.push("tabs close");
    },
    reveal: (keepFocus: boolean) => void said.push(`tabs reveal ${keepFocus}`),
    notify: (name: string) => void said.push(`tabs ${name}`),
    dispose: () => {},
  };
  return { panels: new Panels(view, tabs), view, tabs, said, viewChanged, tabsChanged };
}

describe("what is asked of the panel", () => {
  it("goes to the side bar, unless the user last was in a tab that is visible", async () => {
    const { panels, view, tabs, said, tabsChanged } = places();
    await panels.focus();
    panels.notify("history/show", {});
    expect(said.splice(0)).toEqual(["view focus", "view history/show"]);
    panels.openInEditor();
    panels.notify("history/show", {});
    await panels.focus();
    await panels.show("editor");
    expect(said.splice(0)).toEqual([
      ...["tabs open", "tabs history/show", "tabs reveal false", "tabs reveal true"],
    ]);
    panels.used("view");
    panels.notify("history/show", {});
    expect(said.splice(0)).toEqual(["view history/show"]);
    view.visible = false;
    panels.notify("history/show", {});
    expect(said.splice(0)).toEqual(["tabs history/show"]);
    view.visible = true;
    tabs.active = true;
    tabsChanged.emit();
    panels.notify("history/show", {});
    expect(said.splice(0)).toEqual(["tabs history/show"]);
    panels.closeTabs();
    panels.notify("history/show", {});
    expect(said.splice(0)).toEqual(["tabs close", "view history/show"]);
  });

  it("returns to the side bar when the tab is closed or covered", () => {
    const { panels, tabs, said } = places();
    panels.openInEditor();
    tabs.visible = false;
    panels.notify("history/show", {});
    expect(said).toEqual(["tabs open", "view history/show"]);
  });

  it("shares a draft with the other place only while that one is visible", () => {
    const { panels, tabs, said } = places();
    panels.shareDraft("view", { text: "a", after: "" });
    expect(said).toEqual([]);
    tabs.visible = true;
    panels.shareDraft("view", { text: "a", after: "" });
    panels.shareDraft("tabs", { text: "ab", after: "" });
    expect(said).toEqual(["tabs composer/draft", "view composer/draft"]);
  });

  it("is visible wherever it is, and says when that changes", () => {
    const { panels, view, tabs, viewChanged, tabsChanged } = places();
    let changes = 0;
    panels.onVisible(() => changes++);
    view.visible = false;
    viewChanged.emit();
    expect(panels.visible).toBe(false);
    tabs.visible = true;
    tabsChanged.emit();
    expect(panels.visible).toBe(true);
    expect(changes).toBe(2);
  });
});

it("knows which versions of VS Code have containers in the secondary side bar", () => {
  const known = ["1.100.3", "1.105.1", "1.106.0", "1.139.1", "1.107.0-insider", "2.0.0"];
  expect(known.filter(hasSecondaryContainers)).toEqual(["1.106.0", "1.139.1", "1.107.0-insider", "2.0.0"]);
});
