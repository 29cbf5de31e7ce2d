/** What following the agent shows of a call, and which scrolling is the user's. */
import { mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { TaskEvent } from "../../../src/shared/event.ts";
import type { ToolPresentation } from "../../../src/shared/tool-presentation.ts";
import { type CallRow, emptyView } from "../../../src/shared/view/reducer.ts";
import {
  type FollowedFiles,
  type FollowedSession,
  followedPlaces,
  isScrolledAway,
} from "../../../src/vscode/editor/followed-places.ts";

const ROOT = path.resolve("/project");
const FACES: Record<string, ToolPresentation> = {
  read: { icon: "file", title: { doing: "Reading" }, row: "tool", work: "read", opens: ["file"] },
  edit: { icon: "edit", title: { doing: "Editing" }, row: "tool", work: "edit" },
  run: { icon: "run", title: { doing: "Running" }, row: "command" },
};
const files: FollowedFiles = {
  resolve: (named, worktree) => (named.startsWith("..") ? undefined : path.resolve(worktree ?? ROOT, named)),
  encoding: async () => undefined,
};
const bytes = (text: string) => ({ kind: "file" as const, bytes: Buffer.from(text) });
const call = (id: string, tool: string, subject: string, text?: string): CallRow => ({
  ...{ kind: "call", id, tool, subject, state: "done", text: "" },
  ...(text === undefined ? {} : { shown: { text } }),
});
const result = (callId: string, outcome: "done" | "failed" = "done") => ({
  ...{ type: "tool-result" as const, callId, name: "tool", label: "", outcome, parts: [] },
});
const message = (...blocks: ReturnType<typeof result>[]): TaskEvent => ({
  type: "message",
  session: "s",
  message: { id: "m", role: "tool", createdAt: "2026-11-29T00:00:00Z", blocks },
});

function session(rows: readonly CallRow[], more: Partial<FollowedSession> = {}): FollowedSession {
  const chatView = { ...emptyView, status: "running" as const, settled: [...rows], faces: FACES };
  return { chatView, changes: async () => [], ...more };
}

async function places(event: TaskEvent, of: FollowedSession) {
  const failures: unknown[] = [];
  const found = await followedPlaces(event, of, files, (error) => failures.push(error));
  return { found: found.map((each) => ({ ...each, path: path.relative(ROOT, each.path) })), failures };
}

it("shows the lines that are read, of each call that ended well, in their order", async () => {
  const rows = [
    call("1", "read", "a.txt", "150-160 / 300"),
    call("2", "read", "b.txt"),
    call("3", "read", "missing.txt"),
    call("4", "run", "npm test"),
    call("5", "read", "../beside.txt"),
  ];
  const all = message(result("2"), result("1"), result("3", "failed"), result("4"), result("5"));
  expect((await places(all, session(rows))).found).toEqual([
    { path: "b.txt" },
    { path: "a.txt", lines: { from: 150, to: 160 } },
  ]);
});

it("shows the first lines that an edit changed, in the first file that is still there", async () => {
  const rows = [call("1", "edit", "b.txt")];
  const now = "1\n2\nthree\nfour\n5\n";
  const changes = async () => [
    { path: path.join(ROOT, "gone.txt"), before: bytes("x"), after: null },
    { path: path.join(ROOT, "b.txt"), before: bytes("1\n2\n3\n5\n"), after: bytes(now) },
  ];
  expect((await places(message(result("1")), session(rows, { changes }))).found).toEqual([
    { path: "b.txt", lines: { from: 3, to: 4 } },
  ]);
});

it("shows an edited file by the path that the user has for it", async () => {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "nekode-follow-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(path.join(folder, "real.txt"), "a\n");
  await symlink(path.join(folder, "real.txt"), path.join(folder, "link.txt"));
  const changes = async () => [{ path: path.join(folder, "real.txt"), before: null, after: bytes("a\n") }];
  const edited = session([call("1", "edit", path.join(folder, "link.txt"))], { changes });
  const found = await followedPlaces(message(result("1")), edited, files, () => {});
  expect(found.map((each) => each.path)).toEqual([path.join(folder, "link.txt")]);
});

it("shows nothing of a session that is only opened, and no file whose addresses would be fetched", async () => {
  const rows = [call("1", "read", "a.txt"), call("2", "read", "settings.json")];
  const working = session(rows);
  expect((await places(message(result("1"), result("2")), working)).found).toEqual([{ path: "a.txt" }]);
  const idle = { ...working, chatView: { ...working.chatView, status: "idle" as const } };
  expect((await places(message(result("1")), idle)).found).toEqual([]);
});

it("goes on with the next call where a place cannot be found", async () => {
  const rows = [call("1", "edit", "a.txt"), call("2", "read", "b.txt")];
  const broken = session(rows, { changes: () => Promise.reject(new Error("no checkpoints")) });
  const { found, failures } = await places(message(result("1"), result("2")), broken);
  expect(found).toEqual([{ path: "b.txt" }]);
  expect(failures).toHaveLength(1);
});

it.each([
  ["nothing moved", 10, 10, undefined, false],
  ["an editor that shows nothing of the agent", 10, 11, undefined, true],
  ["towards the place, from above", 0, 40, 100, false],
  ["towards the place, from below", 300, 120, 100, false],
  ["away from the place", 90, 80, 100, true],
  ["past the place", 90, 130, 100, true],
])("%s: scrolled by the user or not", (_, before, now, shown, away) => {
  expect(isScrolledAway(before, now, shown)).toBe(away);
});
