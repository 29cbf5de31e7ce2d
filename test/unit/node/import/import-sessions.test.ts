/** Sessions of other agents on the disk: found, listed, imported once, each into the project of its folder. */
import { randomUUID } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { SessionStore } from "../../../../src/core/sessions/session-store.ts";
import { openSessionStore } from "../../../../src/core/sessions/store.ts";
import { findSessions } from "../../../../src/node/import/find-sessions.ts";
import type { FoundSession } from "../../../../src/node/import/found-session.ts";
import {
  type ImportParts,
  type ImportRunOptions,
  importSessions,
} from "../../../../src/node/import/import-sessions.ts";
import { readLines } from "../../../../src/node/import/read-lines.ts";
import { sessionsBelow } from "../../../../src/node/import/session-filter.ts";
import { createStorage } from "../../../../src/node/store/folder-storage.ts";
import { findProjectStore } from "../../../../src/node/store/project-store.ts";
import type { AgentProduct } from "../../../../src/shared/history/session-origin.ts";
import { FIXTURES } from "../../core/sessions/import/support.ts";
import { assets, clockAt, MemoryStorage, quietLog } from "../../core/sessions/support.ts";

let home: string;
let store: SessionStore;
beforeEach(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), "nekode-import-"));
  store = await openSessionStore(new MemoryStorage(), assets, clockAt(), quietLog);
});
afterEach(async () => {
  await store.close();
  await rm(home, { recursive: true, force: true });
});

const find = (products: AgentProduct[], environment: NodeJS.ProcessEnv = {}) =>
  findSessions(products, { environment, home, assets, platform: "linux" });

const sessionsOf = async (...products: AgentProduct[]): Promise<FoundSession[]> =>
  (await find(products)).flatMap(({ sessions }) => sessions);

const parts = (own: Partial<ImportParts> = {}): ImportParts => ({
  store,
  root: "/home/neko/app",
  dataDir: path.join(home, "data"),
  assets,
  clock: clockAt(),
  log: quietLog,
  newId: randomUUID,
  keys: { current: async () => (text) => text.replaceAll("The cat", "[key]") },
  ...own,
});

async function outcomes(
  sessions: FoundSession[],
  own: Partial<ImportParts> = {},
  options: ImportRunOptions = {},
) {
  const all = [];
  for await (const { outcome } of importSessions(sessions, parts(own), options)) all.push(outcome);
  return all;
}

async function claude(project: string, name: string, text?: string): Promise<string> {
  const folder = path.join(home, ".claude/projects", project);
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `${name}.jsonl`);
  if (text === undefined)
    await cp(path.join(FIXTURES, "claude/5b1f3f0e-0000-4000-8000-000000000001.jsonl"), file);
  else await writeFile(file, text);
  return file;
}

const message = (text: string, more: Record<string, unknown> = {}) =>
  JSON.stringify({
    type: "user",
    uuid: randomUUID(),
    cwd: "/home/neko/app",
    message: { role: "user", content: text },
    ...more,
  });

it("lists title, folder and size, imports with masked keys, and imports nothing twice", async () => {
  const file = await claude("-home-neko-app", "one");
  const before = await readFile(file);
  const [product] = await find(["claude"]);
  expect(product).toMatchObject({ places: [path.join(home, ".claude/projects")], problems: [] });
  const sessions = product?.sessions ?? [];
  expect(sessions).toMatchObject([
    { id: "one", title: "A cat and its box", folder: "/home/neko/app", bytes: before.length },
  ]);
  expect(await outcomes(sessions, {}, { isDryRun: true })).toMatchObject([
    { state: "imported", messages: 8, unreadable: 2 },
  ]);
  expect(await store.list()).toEqual([]);
  expect(await outcomes(sessions)).toMatchObject([{ state: "imported", folder: "/home/neko/app" }]);
  expect(await outcomes(sessions)).toEqual([{ state: "known" }]);
  const [session] = await store.list();
  const whole = JSON.stringify((await store.load(session?.id ?? ""))?.messages);
  expect(whole).toContain("[key] is in the box.");
  expect(whole).not.toContain("ghp_");
  expect(await readFile(file)).toEqual(before);
});

it("imports a session into the project of its folder, and one without a folder into the open project", async () => {
  const other = path.join(home, "other project");
  await claude("-other", "two", message("Elsewhere", { cwd: other }));
  await claude("-none", "three", message("Nowhere", { cwd: undefined }));
  const sessions = await sessionsOf("claude");
  expect(sessionsBelow(sessions, home).map(({ id }) => id)).toEqual(["two"]);
  expect(sessionsBelow(sessions, `${other}2`)).toEqual([]);
  await outcomes(sessions, {}, { isDryRun: true });
  expect(await readdir(home)).not.toContain("data");
  await outcomes(sessions);
  expect((await store.list()).map(({ title }) => title)).toEqual(["Nowhere"]);
  const { folder } = await findProjectStore({ dataDir: path.join(home, "data"), root: other, log: quietLog });
  const opened = await openSessionStore(createStorage(folder), assets, clockAt(), quietLog);
  expect((await opened.list()).map(({ title }) => title)).toEqual(["Elsewhere"]);
  await opened.close();
  expect(await outcomes(sessions)).toEqual([{ state: "known" }, { state: "known" }]);
});

it("follows no link and reads nothing outside, whatever ids and names say", async () => {
  await claude("-home-neko-app", "one", message("Hello", { sessionId: "../../../../etc/passwd" }));
  await writeFile(path.join(home, "secret.jsonl"), message("SECRET"));
  await symlink(
    path.join(home, "secret.jsonl"),
    path.join(home, ".claude/projects/-home-neko-app/link.jsonl"),
  );
  await symlink(home, path.join(home, ".claude/projects/linked"));
  const [product] = await find(["claude"]);
  expect(product?.sessions.map(({ id, title }) => [id, title])).toEqual([["one", "Hello"]]);
  expect(product?.problems.map(({ code }) => code)).toEqual(["link", "link"]);
});

it("reads a line of 10 MB, skips one that is too long, and shows no control characters in titles", async () => {
  const long = "x".repeat(10_000_000);
  const file = await claude(
    "-home-neko-app",
    "long",
    `${message("A \u001b[31mred\u0007 cat\u202e")}\n${message(long)}\n`,
  );
  const [session] = await sessionsOf("claude");
  expect(session?.title).toBe("A [31mred cat");
  let read = 0;
  const foreign = await session?.read({ onRead: (bytes) => (read += bytes) });
  expect(read).toBe(session?.bytes);
  expect(foreign?.unreadable).toBe(0);
  const taken: string[] = [];
  const taker = { line: (text: string) => taken.push(text.slice(0, 10)), lost: () => taken.push("lost") };
  await readLines(file, taker, { longestLine: 1_000_000 });
  expect(taken).toEqual(['{"type":"u', "lost"]);
});

it("ends early when it is stopped, and says what could not be read", async () => {
  await claude("-home-neko-app", "one", message("One"));
  await claude("-home-neko-app", "two", message("Two"));
  const sessions = await sessionsOf("claude");
  const controller = new AbortController();
  const ended = [];
  for await (const step of importSessions(sessions, parts(), { signal: controller.signal })) {
    ended.push(step.outcome.state);
    controller.abort();
  }
  expect(ended).toEqual(["imported"]);
  await rm(path.join(home, ".claude"), { recursive: true });
  expect((await outcomes(sessions)).map(({ state }) => state).sort()).toEqual(["failed", "known"]);
});

it("follows CLAUDE_CONFIG_DIR", async () => {
  await claude("-home-neko-app", "one", message("One"));
  const [product] = await find(["claude"], { CLAUDE_CONFIG_DIR: path.join(home, ".claude") });
  expect(product?.sessions).toHaveLength(1);
  expect(await find(["claude"], { CLAUDE_CONFIG_DIR: path.join(home, "nowhere") })).toEqual([]);
});
