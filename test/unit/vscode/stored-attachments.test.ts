/** Contents that the user attached without a path: where they are, and when they are removed. */
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { outsideMention } from "../../../src/shared/mentions.ts";
import { StoredAttachments } from "../../../src/vscode/files/stored-attachments.ts";

const DAY = 24 * 60 * 60 * 1_000;
const NOW = Date.parse("2026-11-29T12:00:00Z");

let folder: string;
let attachments: StoredAttachments;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), "nekode-attachments-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  attachments = new StoredAttachments(() => NOW, folder);
});

const store = (name: string) => attachments.store(name, Buffer.from("x,y\n"));
const left = () => readdir(folder);
const inFolder = (file: string) => path.basename(path.dirname(file));

it("are stored for this user alone, under a name that leads nowhere else", async () => {
  const file = await store("../../evil/ta:ble.csv");
  expect(path.basename(file)).toBe("ta_ble.csv");
  expect(path.dirname(path.dirname(file))).toBe(folder);
  expect(await readFile(file, "utf8")).toBe("x,y\n");
  expect((await stat(path.dirname(file))).mode & 0o077).toBe(0);
});

it("are removed when the last task whose message names them is deleted, and no others", async () => {
  const [own, shared, unsent] = [
    await store("own.csv"),
    await store("shared.csv"),
    await store("unsent.csv"),
  ];
  const text = `See ${outsideMention(own)} and ${outsideMention(shared)}`;
  await attachments.mentioned("one", text);
  await attachments.mentioned("one", text);
  // Another window of the same user.
  const elsewhere = new StoredAttachments(() => NOW, folder);
  await elsewhere.mentioned("two", `Also ${outsideMention(shared)}`);
  await elsewhere.forget("unknown");
  expect(await left()).toHaveLength(3);
  await elsewhere.forget("one");
  expect((await left()).sort()).toEqual([inFolder(shared), inFolder(unsent)].sort());
  expect(await readFile(shared, "utf8")).toBe("x,y\n");
  await attachments.forget("two");
  expect(await left()).toEqual([inFolder(unsent)]);
});

it("are removed when they are two weeks old, and nothing else is", async () => {
  const [old, recent] = [await store("old.csv"), await store("recent.csv")];
  const age = async (name: string, days: number) => {
    const at = new Date(NOW - days * DAY);
    await utimes(path.join(folder, name), at, at);
  };
  await mkdir(path.join(folder, "foreign"));
  await writeFile(path.join(folder, "nekode-file-alone"), "");
  await symlink(path.join(folder, "foreign"), path.join(folder, "nekode-file-link"));
  for (const [name, days] of [
    [inFolder(old), 15],
    [inFolder(recent), 13],
    ["foreign", 99],
    ["nekode-file-alone", 99],
  ] as const)
    await age(name, days);
  await attachments.removeOld();
  expect((await left()).sort()).toEqual(
    ["foreign", "nekode-file-alone", "nekode-file-link", inFolder(recent)].sort(),
  );
});

it("of a message that names a folder elsewhere are no concern of theirs", async () => {
  const other = path.join(folder, "nekode-file-other");
  await attachments.mentioned("one", `See ${outsideMention(path.join(other, "a.csv"))}`);
  expect(await left()).toEqual([]);
});
