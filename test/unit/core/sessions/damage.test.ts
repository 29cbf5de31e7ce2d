/**
 * Whatever happens to one file of a store, the sessions are as they were, or what is not is said. `npm test` damages some
 * files of each kind, `npm run endure` all of them.
 */
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { SessionStore } from "../../../../src/core/sessions/session-store.ts";
import { openSessionStore } from "../../../../src/core/sessions/store.ts";
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

const seed = seedOf("damage");
const flips = rounds(5, 2_000);

vi.setConfig({ testTimeout: 120_000 + flips * 500 });

const open = (storage: MemoryStorage) =>
  openSessionStore(storage, assets, clockAt(), quietLog, { packAbove: 60_000 });
const DATABASE = "sessions.db";

/** Everything that a user can see of a store. */
type Seen = Record<string, string>;
async function seenIn(store: SessionStore): Promise<Seen> {
  const seen: Seen = { order: (await store.list()).map(({ id }) => id).join() };
  for (const { id } of [...(await store.list()), ...(await store.deleted())]) {
    seen[id] = JSON.stringify([await store.load(id), [...(await store.startedCalls(id))]]);
  }
  return seen;
}

/** Fills a store; what follows the last of `checkpoints` stays in the journals. */
async function fill(storage: MemoryStorage, name: string, checkpoints = 3): Promise<void> {
  const [one, two] = [await open(storage), await open(storage)];
  let count = 0;
  const say = (store: SessionStore, session: string) => {
    count += 1;
    const text = `${session} ${count} ${count % 4 === 0 ? "長い".repeat(2500) : "words ".repeat(30)}`;
    return store.append(session, userMessage(text, `${session}-${count}`));
  };
  for (let generation = 0; generation <= checkpoints; generation++) {
    const id = `${name}${generation}`;
    const first = userMessage(`first ${id}`, `${id}-first`);
    await one.create({ ...newSession(id), title: `Title of ${id}` }, first);
    for (let index = 0; index < 8; index++) await say(index % 3 ? one : two, id);
    await two.update(id, { todo: `- [ ] ${generation}`, favourite: generation === 1 });
    if (generation > 0) await say(two, `${name}${generation - 1}`);
    if (generation === 2) {
      await one.fork(
        id,
        `${id}-first`,
        { ...newSession(`${name}fork`), title: `Title of ${name}fork` },
        another,
      );
      await two.remove(`${name}0`);
      await one.update(`${name}1`, { deletedAt: "2025-01-02T00:00:00.000Z" });
    }
    if (generation < checkpoints) await (generation % 2 ? one : two).checkpoint();
    await one.markCall(id, "call", "started");
  }
}
const another = userMessage("another way", "fork-first");

let whole: MemoryStorage;
let truth: Seen;
let other: MemoryStorage;
/** Databases of generations before, and journals that were removed since, by name. */
const earlier = new Map<string, Uint8Array>();

beforeAll(async () => {
  whole = new MemoryStorage();
  whole.beforeChange = (change, name) => {
    const bytes = whole.files.get(name);
    if (bytes && change !== "append") earlier.set(`${name}#${earlier.size}`, bytes.slice());
  };
  await fill(whole, "s");
  whole.beforeChange = () => {};
  whole.endAll();
  other = new MemoryStorage();
  await fill(other, "s");
  truth = await seenIn(await open(whole.copy()));
});

/** What differs from the truth and was not said; the store goes on working. */
async function silent(storage: MemoryStorage): Promise<string[]> {
  const store = await open(storage);
  const seen = await seenIn(store);
  const said = JSON.stringify(store.problems);
  const unsaid: string[] = [];
  for (const id of new Set([...Object.keys(truth), ...Object.keys(seen)])) {
    if (seen[id] === truth[id]) continue;
    const isNamed = id === "order" ? store.problems.length > 0 : said.includes(id);
    if (!isNamed) unsaid.push(`${id}: ${difference(truth[id] ?? "", seen[id] ?? "")}; said: ${said}`);
  }
  await store.create(newSession("new"), userMessage("goes on", "new-first"));
  await closeWritten(store);
  const again = await open(storage);
  expect((await again.load("new"))?.messages).toHaveLength(1);
  const later = await seenIn(again);
  for (const id of Object.keys(seen))
    if (id !== "order" && later[id] !== seen[id]) unsaid.push(`later ${id}`);
  await closeWritten(again);
  return unsaid;
}

function difference(a: string, b: string): string {
  const at = [...a].findIndex((character, index) => character !== b[index]);
  return `${JSON.stringify(a.slice(Math.max(0, at - 60), at + 60))} is ${JSON.stringify(b.slice(Math.max(0, at - 60), at + 60))}`;
}

const isOfStore = (name: string) => !name.startsWith("open/");
const filesOf = (storage: MemoryStorage) => [...storage.files.keys()].filter(isOfStore).sort();

function changed(name: string, change: (bytes: Uint8Array) => Uint8Array): MemoryStorage {
  const copy = whole.copy();
  copy.put(name, change((whole.files.get(name) ?? new Uint8Array()).slice()));
  return copy;
}

it("the store has what the experiment is about", () => {
  const kinds = new Set(filesOf(whole).map((name) => name.replace(/[/-].*/, "")));
  for (const kind of ["sessions.db", "store.json", "journal", "mirror", "previous", "payloads"])
    expect([...kinds]).toContain(kind);
  expect(Object.keys(truth)).toHaveLength(5);
  expect([...earlier.keys()].filter((name) => name.startsWith(DATABASE)).length).toBeGreaterThan(1);
});

describe(`one file of a store (NEKODE_SEED=${seed})`, () => {
  it(`with a bit or a byte flipped, ${flips} times`, async () => {
    const next = generator(seed);
    const files = filesOf(whole);
    for (let turn = 0; turn < flips; turn++) {
      // Every file is hit, and each kind of byte in it in the long run.
      const name = files[Math.floor(next() * files.length)] ?? "";
      const at = Math.floor(next() * (whole.files.get(name)?.length ?? 0));
      const mask = turn % 2 ? 1 << Math.floor(next() * 8) : 1 + Math.floor(next() * 255);
      const storage = changed(name, (bytes) => {
        bytes[at] = (bytes[at] ?? 0) ^ mask;
        return bytes;
      });
      expect(await silent(storage), `${name}, byte ${at} ^ ${mask}`).toEqual([]);
    }
  });

  it("cut short, emptied, removed, grown or doubled", async () => {
    const next = generator(seed + 1);
    for (const name of sampled(filesOf(whole), 8, kindOf)) {
      const cut = next();
      const ways: [string, (bytes: Uint8Array) => Uint8Array][] = [
        ["cut", (bytes) => bytes.slice(0, Math.floor(bytes.length * cut))],
        ["without its last byte", (bytes) => bytes.slice(0, -1)],
        ["empty", () => new Uint8Array()],
        ["doubled", (bytes) => Buffer.concat([bytes, bytes])],
      ];
      const [way, change] = ways[Math.floor(next() * ways.length)] ?? ways[0] ?? ["", (bytes) => bytes];
      expect(await silent(changed(name, change)), `${name}, ${way} ${cut}`).toEqual([]);
      const gone = whole.copy();
      gone.files.delete(name);
      expect(await silent(gone), `${name}, gone`).toEqual([]);
    }
  });

  it("with a page of zeros, at each of its ends and in its middle", async () => {
    const files = filesOf(whole).filter((file) => /^(sessions|journal|mirror|previous)/.test(file));
    for (const name of sampled(files, 8, kindOf)) {
      const length = whole.files.get(name)?.length ?? 0;
      for (const at of new Set([
        0,
        Math.floor(length / 2 / 4096) * 4096,
        Math.floor((length - 1) / 4096) * 4096,
      ])) {
        const storage = changed(name, (bytes) => bytes.fill(0, at, at + 4096));
        expect(await silent(storage), `${name}, zeros from ${at}`).toEqual([]);
      }
    }
  });

  it("of an earlier moment", async () => {
    expect(earlier.size).toBeGreaterThan(5);
    for (const [key, bytes] of sampled([...earlier], 8, ([key]) => kindOf(key))) {
      const name = key.replace(/#.*/, "");
      if (name.startsWith("payloads/")) continue;
      expect(await silent(changed(name, () => bytes)), `${key} of before`).toEqual([]);
    }
  });

  it("of another project, which has sessions of the same ids", async () => {
    for (const name of sampled(filesOf(other), 8, kindOf)) {
      const like = filesOf(whole).filter((file) => kindOf(file) === kindOf(name));
      const bytes = other.files.get(name) ?? new Uint8Array();
      // In the place of one of ours, and beside ours.
      for (const place of new Set([like[0] ?? name, name]))
        expect(await silent(changed(place, () => bytes)), `${name} as ${place}`).toEqual([]);
    }
  });

  it("in the place of another one", async () => {
    const files = filesOf(whole);
    const pairs = files
      .map((name, index) => [name, files[(index + 1) % files.length] ?? ""] as const)
      .filter(([name, second]) => kindOf(name) === kindOf(second));
    for (const [name, second] of sampled(pairs, 8, ([name]) => kindOf(name))) {
      const storage = whole.copy();
      storage.put(name, whole.files.get(second) ?? new Uint8Array());
      storage.put(second, whole.files.get(name) ?? new Uint8Array());
      expect(await silent(storage), `${name} and ${second}`).toEqual([]);
    }
  });
});

describe(`two files of a store at once (NEKODE_SEED=${seed})`, () => {
  it.each(sampled([1, 2, 3], 2))(
    "lose nothing of what %i checkpoints took in, whichever they are",
    async (checkpoints) => {
      const next = generator(seed + 2);
      const whole = new MemoryStorage();
      await fill(whole, "s", checkpoints);
      whole.endAll();
      const truth = await seenIn(await open(whole.copy()));
      const ways: ((bytes: Uint8Array) => Uint8Array | undefined)[] = [
        () => undefined,
        (bytes) => bytes.slice(0, Math.floor(bytes.length * next())),
        (bytes) => bytes.fill(0, Math.floor(next() * bytes.length)),
        inMessages,
        (bytes) => {
          const at = Math.floor(next() * bytes.length);
          bytes[at] = (bytes[at] ?? 0) ^ (1 + Math.floor(next() * 255));
          return bytes;
        },
      ];
      const files = filesOf(whole).filter((name) => /^(sessions|store|previous)/.test(name));
      expect(files.filter((name) => /^previous\/.*\.db$/.test(name))).toHaveLength(
        Math.min(2, checkpoints - 1),
      );
      const pairs = files.flatMap((one, index) => files.slice(index + 1).map((two) => [one, two] as const));
      for (const [one, two] of sampled(pairs, 10, (pair) => pair.map(kindOf).join())) {
        const storage = whole.copy();
        for (const name of [one, two]) {
          const way = ways[Math.floor(next() * ways.length)] ?? (() => undefined);
          const bytes = way((whole.files.get(name) ?? new Uint8Array()).slice());
          if (bytes) storage.put(name, bytes);
          else storage.files.delete(name);
        }
        const store = await open(storage);
        expect(await seenIn(store), `${one} and ${two}`).toEqual(truth);
        await closeWritten(store);
        expect(await seenIn(await open(storage)), `${one} and ${two}, later`).toEqual(truth);
      }
      const storage = whole.copy();
      storage.files.delete("store.json");
      storage.put(DATABASE, inMessages(whole.files.get(DATABASE) ?? new Uint8Array()));
      expect(await seenIn(await open(storage)), "messages in the database, and the head").toEqual(truth);
    },
  );
});

/** Changes letters of messages: SQLite can still read the whole file. */
function inMessages(bytes: Uint8Array): Uint8Array {
  return Buffer.from(Buffer.from(bytes).toString("latin1").replaceAll("first s", "First s"), "latin1");
}

function kindOf(name: string): string {
  return name.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{64}|\d+/g, "*");
}
