/** What a page remembers of its screen for the next one. */
import { describe, expect, it } from "vitest";
import { LEVEL_ACCESS } from "../../../src/shared/permission/levels.ts";
import type { Setup } from "../../../src/shared/protocol.ts";
import { type ChatView, emptyView, type Row, rowsOf } from "../../../src/shared/view/reducer.ts";
import { rememberedScreen } from "../../../webview-ui/remembered-screen.ts";

const SETUP: Setup = {
  models: { act: "default/m" },
  effort: "default",
  access: LEVEL_ACCESS.ask,
  connections: ["default"],
  hasWorkspace: true,
  trusted: true,
};
const user = (id: string): Row => ({ kind: "user", id, text: `Question ${id}` });
const answer = (id: string, text = `Answer ${id}`): Row => ({ kind: "text", id, text, streaming: false });
const viewOf = (rows: Row[], more: Partial<ChatView> = {}): ChatView => ({
  ...emptyView,
  settled: rows.slice(0, -1),
  live: rows.slice(-1),
  ...more,
});
const ids = (view: ChatView) => {
  const screen = rememberedScreen(view, SETUP);
  return screen && rowsOf(screen.view).map(({ id }) => id);
};

describe("the screen that a page remembers", () => {
  it("is all of a short conversation, and of no conversation the first page", () => {
    expect(ids(viewOf([user("1"), answer("2"), user("3"), answer("4")]))).toEqual(["1", "2", "3", "4"]);
    expect(ids(emptyView)).toEqual([]);
  });

  it("is the newest turns of a long one, none of them in part", () => {
    const long = "word ".repeat(6_000);
    const rows = ["1", "2", "3"].flatMap((turn) => [
      user(turn),
      answer(`${turn}a`, long),
      answer(`${turn}b`),
    ]);
    expect(ids(viewOf(rows, { prepended: 4 }))).toEqual(["3", "3a", "3b"]);
    expect(rememberedScreen(viewOf(rows, { prepended: 4 }), SETUP)?.view.prepended).toBe(0);
  });

  it("is nothing where the newest turn alone is too long", () => {
    expect(ids(viewOf([user("1"), answer("2", "word ".repeat(13_000))]))).toBe(null);
  });

  it("is nothing while something is in progress", () => {
    const rows = [user("1"), answer("2")];
    const named = { id: "c", callId: "call", session: "s" };
    const command = { ...named, command: "npm start", startedAt: "2025-01-01T00:00:00Z" };
    const ended = { exitCode: 0, durationMs: 5 };
    expect(ids(viewOf(rows, { status: "waiting" }))).toBe(null);
    expect(ids(viewOf(rows, { queue: [{ id: "q", text: "next" }] }))).toBe(null);
    expect(ids(viewOf(rows, { background: [command] }))).toBe(null);
    expect(ids(viewOf(rows, { background: [{ ...command, ended }] }))).toEqual(["1", "2"]);
    expect(rememberedScreen(viewOf(rows), null)).toBe(null);
  });
});
