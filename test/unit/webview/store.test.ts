import { describe, expect, it } from "vitest";
import { LEVEL_ACCESS } from "../../../src/shared/permission/levels.ts";
import type { Setup } from "../../../src/shared/protocol.ts";
import { applyEvent, type ChatView, emptyView } from "../../../src/shared/view/reducer.ts";
import { PanelStore } from "../../../webview-ui/store.ts";
import { ofSession } from "../../support/events.ts";

const SETUP: Setup = {
  models: { act: "default/m" },
  effort: "default",
  access: LEVEL_ACCESS.ask,
  connections: ["default"],
  hasWorkspace: true,
  trusted: true,
};
const say = (delta: string) => ofSession({ type: "delta", messageId: "m", block: 0, kind: "text", delta });

function textOf(view: ChatView): string {
  return view.live.map((row) => (row.kind === "text" ? row.text : "")).join("|");
}

function opened(seq = 1): { store: PanelStore; asked: () => number } {
  let asked = 0;
  const store = new PanelStore(() => asked++);
  store.opening();
  store.open({ seq, view: emptyView, setup: SETUP });
  return { store, asked: () => asked };
}

describe("the panel's store", () => {
  it("folds events in order, and tells once a batch", () => {
    const { store } = opened();
    let told = 0;
    store.subscribe(() => told++);
    store.events({ seq: 1, events: [say("a"), say("b")] });
    store.events({ seq: 3, events: [say("c")] });
    expect(textOf(store.state.view)).toBe("abc");
    expect(told).toBe(2);
  });

  it("replaces what changed and keeps what did not", () => {
    const { store } = opened();
    store.events({ seq: 1, events: [say("a"), ofSession({ type: "todo", markdown: "- [ ] x" })] });
    const before = store.state;
    store.events({ seq: 3, events: [say("b")] });
    expect(store.state).not.toBe(before);
    expect(store.state.view.live).not.toBe(before.view.live);
    expect(textOf(before.view)).toBe("a");
    expect(store.state.view.settled).toBe(before.view.settled);
    expect(store.state.view.totals).toBe(before.view.totals);
    expect(store.state.setup).toBe(before.setup);
  });

  it("skips events that it already has", () => {
    const { store, asked } = opened();
    store.events({ seq: 1, events: [say("a"), say("b")] });
    store.events({ seq: 1, events: [say("a"), say("b")] });
    store.events({ seq: 2, events: [say("b"), say("c")] });
    expect(textOf(store.state.view)).toBe("abc");
    expect(asked()).toBe(0);
  });

  it("asks for everything when an event is missing, and holds back what comes meanwhile", () => {
    const { store, asked } = opened();
    store.events({ seq: 3, events: [say("c")] });
    store.events({ seq: 4, events: [say("d")] });
    expect(asked()).toBe(1);
    expect(textOf(store.state.view)).toBe("");
    const view = [say("a"), say("b"), say("c")].reduce(applyEvent, emptyView);
    store.open({ seq: 4, view, setup: SETUP });
    expect(textOf(store.state.view)).toBe("abcd");
    store.events({ seq: 5, events: [say("e")] });
    expect(textOf(store.state.view)).toBe("abcde");
    expect(asked()).toBe(1);
  });

  it("asks again when what was held back does not join on to the answer", () => {
    const { store, asked } = opened();
    store.events({ seq: 9, events: [say("z")] });
    store.open({ seq: 4, view: emptyView, setup: SETUP });
    expect(asked()).toBe(2);
  });

  it("asks again after the host could not answer", () => {
    const { store, asked } = opened();
    store.events({ seq: 3, events: [say("c")] });
    store.openFailed("no host");
    expect(store.state.problem).toBe("no host");
    store.events({ seq: 4, events: [say("d")] });
    expect(asked()).toBe(2);
  });

  it("takes a snapshot in place of all it had", () => {
    const { store } = opened();
    store.events({ seq: 1, events: [say("old")] });
    store.snapshot({ seq: 40, view: applyEvent(emptyView, say("new")) });
    store.events({ seq: 40, events: [say("er")] });
    expect(textOf(store.state.view)).toBe("newer");
  });

  it("does not go back to a snapshot that is older than the answer it crossed", () => {
    const { store } = opened();
    store.opening();
    store.snapshot({ seq: 5, view: applyEvent(emptyView, say("older")) });
    store.open({ seq: 8, view: applyEvent(emptyView, say("newer")), setup: SETUP });
    expect(textOf(store.state.view)).toBe("newer");
  });

  it("does not show a view before it knows the setup", () => {
    const store = new PanelStore(() => {});
    store.opening();
    store.snapshot({ seq: 1, view: emptyView });
    expect(store.state.opened).toBe(false);
    store.open({ seq: 1, view: emptyView, setup: SETUP });
    expect(store.state.opened).toBe(true);
  });
});
