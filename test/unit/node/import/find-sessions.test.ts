/** Where each product keeps its sessions, on each system and with its own variables. */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { storedSession } from "../../../../src/core/sessions/import/stored-session.ts";
import { editorStorages } from "../../../../src/node/import/editor-storages.ts";
import { findSessions } from "../../../../src/node/import/find-sessions.ts";
import type { FoundProduct } from "../../../../src/node/import/found-session.ts";
import type { AgentProduct } from "../../../../src/shared/history/session-origin.ts";
import { FIXTURES, outline } from "../../core/sessions/import/support.ts";
import { assets } from "../../core/sessions/support.ts";

let home: string;
let open: FoundProduct[] = [];
beforeEach(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), "nekode-find-"));
});
afterEach(async () => {
  for (const product of open) product.close?.();
  open = [];
  await rm(home, { recursive: true, force: true });
});

async function find(
  product: AgentProduct,
  environment: NodeJS.ProcessEnv = {},
): Promise<FoundProduct | undefined> {
  open = await findSessions([product], { environment, home, assets, platform: "linux" });
  return open[0];
}

/** Copies a fixture to a place in the home folder. */
async function put(name: string, ...place: string[]): Promise<void> {
  const to = path.join(home, ...place);
  await mkdir(path.dirname(to), { recursive: true });
  await cp(path.join(FIXTURES, name), to, { recursive: true });
}

const STORAGE = ".config/Code/User/globalStorage";

it("finds Cline's tasks in editors and in its own folder, and sessions of Cline 4, each once", async () => {
  await put("cline-task", STORAGE, "saoudrizwan.claude-dev/tasks/1777716000000");
  await put("cline-task", ".config/Cursor/User/globalStorage/saoudrizwan.claude-dev/tasks/1777716000000");
  await put("cline-task", "own/tasks/1777716000001");
  await put(
    "cline-session/messages.json",
    "own/sessions/1777716000000_abcde/1777716000000_abcde.messages.json",
  );
  await put("cline-session/manifest.json", "own/sessions/1777716000000_abcde/1777716000000_abcde.json");
  const state = path.join(home, STORAGE, "saoudrizwan.claude-dev/state");
  await mkdir(state, { recursive: true });
  const item = {
    id: "1777716000000",
    ts: 1777716009000,
    task: "Find the\ncat",
    cwdOnTaskInitialization: "/home/neko/named",
  };
  await writeFile(path.join(state, "taskHistory.json"), JSON.stringify([item]));
  const found = await find("cline", { CLINE_DATA_DIR: path.join(home, "own") });
  expect(found?.problems).toEqual([]);
  expect(found?.places).toEqual([path.join(home, STORAGE, "saoudrizwan.claude-dev"), path.join(home, "own")]);
  const listed = found?.sessions.map(({ id, title, folder }) => [id, title, folder]);
  expect(listed?.sort()).toEqual([
    ["1777716000000", "Find the cat", "/home/neko/named"],
    ["1777716000000_abcde", "A look at the cat", "/home/neko/app"],
    ["1777716000001", "", "/home/neko/app"],
  ]);
  for (const session of found?.sessions ?? [])
    expect(outline(await session.read({})).length).toBeGreaterThan(7);
});

it("finds the tasks of Roo Code and Kilo Code, with the item in the folder of each", async () => {
  await put("roo-task", STORAGE, "rooveterinaryinc.roo-cline/tasks/0190-roo");
  await put("roo-task", ".vscode-server/data/User/globalStorage/kilocode.kilo-code/tasks/0190-kilo");
  const roo = await find("roo");
  expect(roo?.sessions).toMatchObject([
    {
      product: "roo",
      id: "0190-roo",
      title: "Count the cats",
      folder: "/home/neko/roo",
      updatedAt: "2026-05-02T10:00:06.000Z",
    },
  ]);
  const kilo = await find("kilo");
  expect(await kilo?.sessions[0]?.read({})).toMatchObject({ product: "kilo", id: "0190-kilo" });
});

it("finds the tasks of Zoo Code, and those in a folder that the user set in an editor", async () => {
  await put("roo-task", STORAGE, "zoocodeorganization.zoo-code/tasks/0190-zoo");
  expect((await find("zoo"))?.sessions).toMatchObject([{ product: "zoo", id: "0190-zoo" }]);
  await put("roo-task", "elsewhere/tasks/0190-roo");
  const settings = `{ // mine\n "roo-cline.customStoragePath": ${JSON.stringify(path.join(home, "elsewhere"))}, }`;
  await writeFile(path.join(home, ".config/Code/User/settings.json"), settings);
  const roo = await find("roo");
  expect(roo?.places).toEqual([path.join(home, "elsewhere")]);
  expect(roo?.sessions).toMatchObject([{ product: "roo", id: "0190-roo" }]);
});

it("finds Codex's rollouts by date and in the archive, each session once", async () => {
  const name = "rollout-2026-05-02T10-00-00-019a2d7a-0000-7000-8000-000000000001.jsonl";
  await put(`codex/${name}`, "codex/sessions/2026/05/02", name);
  await put(`codex/${name}`, "codex/archived_sessions", name);
  await writeFile(path.join(home, "codex/auth.json"), "{}");
  const found = await find("codex", { CODEX_HOME: path.join(home, "codex") });
  expect(found?.sessions.map(({ id, title }) => [id, title])).toEqual([
    ["019a2d7a-0000-7000-8000-000000000001", "Rename the cat"],
  ]);
  expect(await find("codex")).toBeUndefined();
});

it("reads opencode's database with what is only in its write-ahead log, and changes nothing", async () => {
  await put("opencode/opencode.db", "data/opencode/opencode.db");
  await put("opencode/opencode.db-wal", "data/opencode/opencode.db-wal");
  const file = path.join(home, "data/opencode/opencode.db");
  const before = await readFile(file);
  const found = await find("opencode", { XDG_DATA_HOME: path.join(home, "data") });
  expect(found?.problems).toEqual([]);
  expect(found?.sessions).toMatchObject([
    { id: "ses_1", title: "Cats of the house, renamed", folder: "/home/neko/app" },
  ]);
  const lines = outline(await found?.sessions[0]?.read({}));
  expect(lines).toContain("assistant: Mike is home.");
  expect(lines.slice(-2)).toEqual(["user: Good.", "assistant: Yes."]);
  expect(await readFile(file)).toEqual(before);
});

it("says when opencode's newest messages are missing, and when the database is not one", async () => {
  await put("opencode/opencode.db", "other.db");
  await writeFile(path.join(home, "other.db-wal"), "x".repeat(5_000));
  const environment = { OPENCODE_DB: path.join(home, "other.db") };
  const found = await find("opencode", environment);
  expect(found?.problems.map(({ code }) => code)).toEqual(["without-newest"]);
  expect(found?.sessions[0]?.title).toBe("Cats of the house");
  await writeFile(path.join(home, "other.db"), "not a database");
  expect((await find("opencode", environment))?.problems.map(({ code }) => code)).toEqual(["unreadable"]);
});

it("reads the JSON files of older versions of opencode", async () => {
  const { info, messages } = JSON.parse(await readFile(path.join(FIXTURES, "opencode/session.json"), "utf8"));
  const storage = path.join(home, ".local/share/opencode/storage");
  const write = async (name: string, value: unknown) => {
    await mkdir(path.dirname(path.join(storage, name)), { recursive: true });
    await writeFile(path.join(storage, name), JSON.stringify(value));
  };
  await write("session/p1/ses_1.json", info);
  await write("session/p1/ses_2.json", { ...info, id: "ses_2", parentID: "ses_1" });
  for (const message of messages) {
    await write(`message/ses_1/${message.info.id}.json`, message.info);
    for (const [index, part] of message.parts.entries())
      await write(`part/${message.info.id}/prt_${String(index).padStart(2, "0")}.json`, part);
  }
  const found = await find("opencode");
  expect(found?.sessions.map(({ id }) => id)).toEqual(["ses_1"]);
  const session = await found?.sessions[0]?.read({});
  expect(outline(session)).toContain("summary of 2: Mike was found.");
  if (!session) throw new Error("there is no session");
  const options = {
    projectPath: "",
    newId: () => "x",
    now: "2026-06-01T00:00:00.000Z",
    mask: (text: string) => text,
  };
  expect(storedSession(session, options).session.title).toBe("Cats of the house");
});

it("looks in the folders of each system", () => {
  const on = (platform: NodeJS.Platform, environment: NodeJS.ProcessEnv) =>
    editorStorages({ environment, home: "/h", platform })[0];
  expect(on("linux", {})).toBe(path.join("/h", ".config/Code/User/globalStorage"));
  expect(on("linux", { XDG_CONFIG_HOME: "/c" })).toBe(path.join("/c", "Code/User/globalStorage"));
  expect(on("darwin", {})).toBe(path.join("/h", "Library/Application Support/Code/User/globalStorage"));
  expect(on("win32", { APPDATA: "/r" })).toBe(path.join("/r", "Code/User/globalStorage"));
});
