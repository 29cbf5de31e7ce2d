/** Replays of sessions that went other ways than to the end: stopped, answered in between, condensed, with other tasks. */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { replaySession } from "../../../src/cli/replay/replay-session.ts";
import type { StoredSession } from "../../../src/core/sessions/session-store.ts";
import type { Block, Message } from "../../../src/shared/message.ts";
import { settingsSchema } from "../../../src/shared/settings.ts";
import { emptyTotals } from "../../../src/shared/totals.ts";
import { quietLog } from "../core/sessions/support.ts";

const assetsDir = path.dirname(createRequire(import.meta.url).resolve("sql.js/dist/sql-wasm.wasm"));

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "nekode-replayed-"));
  await writeFile(path.join(root, "a.txt"), "one\n");
  execFileSync("git", ["init", "-q"], { cwd: root });
});
afterEach(() => rm(root, { recursive: true, force: true }));

let number = 0;
const message = (role: Message["role"], blocks: Block[], more: Partial<Message> = {}): Message => ({
  ...{ id: `m${++number}`, role, blocks, createdAt: "2025-01-01T00:00:00.000Z" },
  ...more,
});
const said = (text: string, mode: "ACT" | "PLAN" = "ACT") =>
  message(
    "user",
    [
      { type: "text", text },
      {
        type: "text",
        text: `<environment_details>\n# Current Mode\n${mode} MODE\n</environment_details>`,
        source: "context",
      },
    ],
    { display: text },
  );
const calls = (id: string, name: string, params: Record<string, unknown>) =>
  message("assistant", [{ type: "tool-call", id, name, params }]);
const result = (callId: string, name: string, text: string) =>
  message("tool", [
    { type: "tool-result", callId, name, label: name, outcome: "done", parts: [{ type: "text", text }] },
  ]);
const answer = (text: string, more: Partial<Message> = {}) =>
  message("assistant", [{ type: "text", text }], more);

async function replay(messages: Message[], signal = new AbortController().signal) {
  const session: StoredSession = {
    summary: {
      ...{ id: "s", title: "t", startedAt: "", updatedAt: "" },
      ...{ messageCount: messages.length, cost: 0, tokens: 0 },
    },
    ...{
      mode: "act",
      permission: { classes: {}, exceptions: {} },
      todo: "",
      model: "m",
      endedAt: null,
      totals: emptyTotals,
      messages,
    },
  };
  return replaySession({
    ...{ session, root, signal, left: new Map(), revision: undefined, level: "edits", log: quietLog },
    ...{ settings: settingsSchema.parse({}), assetsDir, environment: process.env },
  });
}

it("a stopped answer, a message in between, a summary and another task leave the rest as it was", async () => {
  const report = await replay([
    said("look"),
    calls("c1", "read_file", { path: "a.txt" }),
    result("c1", "read_file", "one\n"),
    answer("It is cut", { interrupted: true }),
    said("go on"),
    calls("c2", "start_task", { description: "Look", kind: "explore" }),
    result("c2", "start_task", "It is one."),
    // Written while the agent worked, so no turn ended before it.
    said("and look again"),
    calls("c3", "read_file", { path: "a.txt" }),
    result("c3", "read_file", "one\n"),
    answer("Fine."),
    message("user", [{ type: "window", shortened: [], before: 2, after: 1 }], { display: "/compact" }),
    said("only plan now", "PLAN"),
    calls("c4", "write_to_file", { path: "a.txt", content: "two\n" }),
    result("c4", "write_to_file", "saved"),
    answer("Planned."),
  ]);
  expect(report).toMatchObject({
    answers: { recorded: 6, played: 6 },
    calls: { same: 2, different: 1, notRun: 1 },
    notRun: [{ answer: 2, tool: "start_task", why: "not-available" }],
    // Plan mode writes nothing, whatever the session did.
    differences: [{ answer: 5, tool: "write_to_file", recorded: "done" }],
    skipped: [
      { what: "cut-off-answer", text: "It is cut" },
      { what: "condense", text: "/compact" },
    ],
    files: [],
    against: { commit: null },
  });
});

it("ends when it is asked to", async () => {
  const stop = new AbortController();
  const ended = replay(
    [said("look"), calls("c1", "read_file", { path: "a.txt" }), answer("Fine.")],
    stop.signal,
  );
  stop.abort();
  await expect(ended).rejects.toThrow();
});
