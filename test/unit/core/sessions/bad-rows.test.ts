/**
 * Whatever a column of one row holds, everything else works, and the row is shown as far as it can be read, or counted in
 * a notice.
 */
import { beforeAll, describe, expect, it, vi } from "vitest";
import { openDatabase } from "../../../../src/core/sessions/db/database.ts";
import { readSealed, seal } from "../../../../src/core/sessions/db/seal.ts";
import { toJson } from "../../../../src/core/sessions/exchange.ts";
import type { SessionStore } from "../../../../src/core/sessions/session-store.ts";
import { openSessionStore } from "../../../../src/core/sessions/store.ts";
import { historyQuerySchema, historySortSchema } from "../../../../src/shared/protocol.ts";
import { generator, rounds, sampled, seedOf } from "../../../support/random.ts";
import {
  assets,
  clockAt,
  closeWritten,
  MemoryStorage,
  newSession,
  quietLog,
  userMessage,
} from "./support.ts";

const seed = seedOf("bad-rows");
const tries = rounds(6, 2_000);

vi.setConfig({ testTimeout: 120_000 + tries * 1_000 });

const open = (storage: MemoryStorage) => openSessionStore(storage, assets, clockAt(), quietLog);
const DATABASE = "sessions.db";

/** As SQL; no value of a column fits all of them. */
const VALUES = [
  ...["NULL", "0", "-7", "1.5", "1e300", "9007199254740993", "9223372036854775807", "''", "'not a number'"],
  ...["x'00ff'", "x''", `'{"a":'`, "'[]'", "'null'", "'{}'", `'"text"'`, "'someone-else'", "'2025-13-77'"],
  ...[`'{"pack":"x"}'`, `'[{"type":"tool-call"}]'`, `'{"blocks":[{"at":"here"}],"rest":{}}'`, "char(0)"],
];

let storage: MemoryStorage;
let content: Uint8Array;
const columns: [table: string, column: string][] = [];
const truth = new Map<string, string>();

/** What is seen of each session, by id; every session is opened, and every list and search asked for. */
async function seenIn(store: SessionStore): Promise<Map<string, string>> {
  const lists = [(await store.list()).map(({ id }) => id)];
  for (const sort of historySortSchema.options) {
    const { sessions } = await store.find(historyQuerySchema.parse({ sort }));
    lists.push(sessions.map(({ id }) => id));
    const grouped = (await store.find(historyQuerySchema.parse({ sort, grouped: true }))).sessions;
    lists.push(grouped.flatMap(({ id, children = [] }) => [id, ...children.map((child) => child.id)]));
    await store.find(historyQuerySchema.parse({ sort, text: "words" }));
  }
  await store.find(historyQuerySchema.parse({ favorites: true }));
  await store.latest();
  await store.unfinished();
  await store.deleted();
  for (const list of lists) expect([...list].sort()).toEqual([...(lists[0] ?? [])].sort());
  const seen = new Map<string, string>();
  for (const id of lists[0] ?? []) {
    const session = await store.load(id);
    if (!session) continue;
    const parts = [];
    for (let skip = 0; skip < 12; skip += 3)
      parts.unshift(...((await store.load(id, { skip, count: 3 }))?.messages ?? []));
    expect(parts).toEqual(session.messages);
    await store.startedCalls(id);
    toJson(session);
    seen.set(id, JSON.stringify(session));
  }
  return seen;
}

beforeAll(async () => {
  storage = new MemoryStorage();
  const store = await open(storage);
  for (const id of ["a", "b", "c"]) {
    await store.create({ ...newSession(id), title: `Title of ${id}` }, userMessage(`words ${id}`, `${id}-0`));
    for (let index = 1; index < 5; index++)
      await store.append(
        id,
        userMessage(index === 3 ? "long words ".repeat(900) : `words ${index}`, `${id}-${index}`),
      );
    await store.markCall(id, "call", "started");
  }
  await store.fork(
    "a",
    "a-3",
    { ...newSession("fork"), title: "Title of fork" },
    userMessage("words", "fork-0"),
  );
  const child = { ...newSession("child"), title: "Title of child", parent: "b" };
  await store.create(child, userMessage("words", "child-0"));
  await store.create(newSession("gone"), userMessage("gone", "gone-0"));
  await store.remove("gone");
  await store.find(historyQuerySchema.parse({ text: "words" }));
  await closeWritten(store);
  content = (await readSealed(storage.files.get(DATABASE) ?? new Uint8Array())).content;
  const db = await openDatabase(assets, content);
  for (const [table] of db.dump(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
  ))
    for (const [, column] of db.dump(`PRAGMA table_info(${table})`))
      columns.push([String(table), String(column)]);
  for (const [id, session] of await seenIn(await open(storage.copy()))) truth.set(id, session);
});

/** The database with that value in one row, sealed as if this program had written it. */
async function withBadRow(
  table: string,
  column: string,
  value: string,
  which: number,
): Promise<MemoryStorage> {
  const strict = await openDatabase(assets, content);
  // Constraints keep some of them out, but a file can hold anything.
  strict.execute(
    "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '') WHERE type = 'table'",
  );
  const db = await openDatabase(assets, strict.export());
  db.execute(
    `UPDATE OR REPLACE ${table} SET ${column} = ${value}
     WHERE rowid = (SELECT rowid FROM ${table} ORDER BY rowid LIMIT 1 OFFSET ${which} % (SELECT count(*) FROM ${table}))`,
  );
  const copy = storage.copy();
  const { store = "", generation = 0 } = await readSealed(storage.files.get(DATABASE) ?? new Uint8Array());
  copy.put(DATABASE, await seal(db.export(), store, generation));
  return copy;
}

async function check(disk: MemoryStorage): Promise<void> {
  const store = await open(disk);
  const seen = await seenIn(store);
  const changed = [...truth].filter(([id, session]) => seen.get(id) !== session).map(([id]) => id);
  const added = [...seen.keys()].filter((id) => !truth.has(id));
  // One row is of one session, and of the branch that shares it, or the one that its task started.
  expect(changed.length).toBeLessThanOrEqual(2);
  expect(added.length).toBeLessThanOrEqual(1);
  for (const id of changed) {
    const isGone = !seen.has(id);
    if (isGone) expect([...added, ...store.problems], `${id} is gone`).not.toEqual([]);
  }
  // Everything goes on.
  await store.create(newSession("new"), userMessage("new words", "new-0"));
  for (const id of ["a", "b", "c"].filter((known) => seen.has(known))) {
    await store.append(id, userMessage("on", `${id}-on`));
    await store.update(id, { title: `New title of ${id}`, favourite: true });
  }
  const from = ["c", "b", "a"].find((id) => !changed.includes(id)) ?? "";
  await store.fork(from, `${from}-2`, newSession("later"), userMessage("later", "later-0"));
  await store.import(newSession("copy"), [userMessage("copied", "copy-0")], {});
  await store.remove(from);
  await store.sweep();
  await store.checkpoint();
  const after = await seenIn(store);
  await closeWritten(store);
  const again = await open(disk);
  expect(await seenIn(again)).toEqual(after);
  expect((await again.load("new"))?.messages).toHaveLength(1);
  for (const id of ["a", "b", "c"])
    if (seen.has(id) && id !== from)
      expect((await again.load(id))?.messages.filter(({ display }) => display === "on")).toHaveLength(1);
  await closeWritten(again);
}

/** Messages by their ids, all at once and in pages of three. */
async function idsOf(store: SessionStore, id: string) {
  const ids = async (part?: { skip: number; count: number }) =>
    (await store.load(id, part))?.messages.map((message) => message.id) ?? [];
  const pages = [];
  for (let skip = 0; skip < 12; skip += 3) pages.unshift(...(await ids({ skip, count: 3 })));
  return { whole: await ids(), pages };
}

it("a message that cannot be read shifts no page of a branch", async () => {
  // Each message of the database in turn.
  for (const which of sampled([...Array(16).keys()], 5)) {
    const store = await open(await withBadRow("messages", "role", "NULL", which));
    for (const id of ["a", "fork"]) {
      const { whole, pages } = await idsOf(store, id);
      expect(pages, `${id}, message ${which}`).toEqual(whole);
    }
    await closeWritten(store);
  }
});

it("messages whose session lost its id are reported", async () => {
  const store = await open(await withBadRow("sessions", "id", "'{}'", 1));
  const { sessions } = await store.find(historyQuerySchema.parse({}));
  expect(sessions.map(({ id }) => id).sort()).toEqual(["a", "c", "child", "fork"]);
  expect(store.problems).toEqual([{ code: "rows-unreadable", detail: "messages: 5: without a session" }]);
  await closeWritten(store);
});

it("a mark of a deletion that is no date hides no session", async () => {
  for (const which of [0, 1, 2]) {
    const store = await open(await withBadRow("sessions", "deleted_at", "'2025-13-77'", which));
    expect((await store.list()).map(({ id }) => id)).toEqual(expect.arrayContaining(["a", "b", "c"]));
    await closeWritten(store);
  }
});

describe(`one bad column of one row (NEKODE_SEED=${seed})`, () => {
  it(`breaks nothing else, ${tries} of all there are`, async () => {
    const next = generator(seed);
    expect(columns.length).toBeGreaterThan(40);
    for (let turn = 0; turn < tries; turn++) {
      const [table, column] = columns[Math.floor(next() * columns.length)] ?? ["", ""];
      const value = VALUES[Math.floor(next() * VALUES.length)] ?? "NULL";
      const disk = await withBadRow(table, column, value, Math.floor(next() * 20));
      await check(disk).catch((error: unknown) => {
        throw new Error(`${table}.${column} = ${value}, turn ${turn}`, { cause: error });
      });
    }
  });
});
