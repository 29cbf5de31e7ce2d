/** The panel's requests about memory: what is listed, and what each action changes. */
import { expect, it } from "vitest";
import { MEMORY_FILE, ProjectMemory } from "../../../src/core/memory/project-memory.ts";
import { type MemoryList, memoryListSchema } from "../../../src/shared/memory-list.ts";
import type { SessionSummary } from "../../../src/shared/protocol.ts";
import { translator } from "../../../src/shared/words/task-words.ts";
import { memoryRequests } from "../../../src/vscode/panel/requests/memory-requests.ts";
import { memoryHost } from "../../support/memory-host.ts";
import { MemoryStorage } from "../core/sessions/support.ts";

function panel({ content = "", isOn = true } = {}) {
  const disk = new MemoryStorage();
  if (content !== "") disk.files.set(MEMORY_FILE, new TextEncoder().encode(content));
  const opened: string[] = [];
  const summary = { id: "s1", title: "Count the cats" } as SessionSummary;
  const request = memoryRequests({
    memory: new ProjectMemory(disk, memoryHost().host.log, "/data/memory.md"),
    project: { history: async () => [summary] },
    isOn: () => isOn,
    openFile: async (file) => void opened.push(file),
    t: translator({}),
  });
  const ask = async (action: unknown): Promise<MemoryList> =>
    memoryListSchema.parse((await request(action)).list);
  return { ask, opened, disk };
}

const FROM = (session: string) => `  <!-- 2026-11-29T13:41:05.000Z, session ${session}, message m1 -->\n`;

it("lists each note with the title of its session, removes one, undoes a write, removes all, and opens the file", async () => {
  const { ask, opened } = panel({ content: `- One\n${FROM("s1")}- Two\n${FROM("gone")}- Three\n` });
  const { notes, file, on } = await ask(null);
  expect({ file, on }).toEqual({ file: "/data/memory.md", on: true });
  expect(notes.map(({ text, title }) => [text, title])).toEqual([
    ["One", "Count the cats"],
    ["Two", undefined],
    ["Three", undefined],
  ]);
  const [one, two] = notes;
  expect((await ask({ action: "remove", id: one?.id })).notes).toHaveLength(2);
  const undone = await ask({ action: "undo", change: { id: two?.id, before: one } });
  expect(undone.notes.map(({ text }) => text)).toEqual(["One", "Three"]);
  await ask({ action: "open" });
  expect(opened).toEqual(["/data/memory.md"]);
  expect((await ask({ action: "clear" })).notes).toEqual([]);
});

it("says in words why a file is not used, and takes no other action", async () => {
  const { ask } = panel({ content: "- a\0b\n", isOn: false });
  expect(await ask(null)).toMatchObject({ notes: [], problem: "unreadable", on: false });
  await expect(ask({ action: "clear" })).rejects.toThrow(
    "/data/memory.md is too large or not readable as text",
  );
  await expect(ask({ action: "write", text: "x" })).rejects.toThrow();
});

it("what a row restores is checked like what a model writes", async () => {
  const { ask, disk } = panel();
  const before = { id: "x", text: "a\u200bb" };
  await expect(ask({ action: "undo", change: { before } })).rejects.toThrow("U+200B");
  expect(disk.files.size).toBe(0);
});

it("without a folder, nothing is remembered", async () => {
  const request = memoryRequests({
    memory: undefined,
    project: { history: async () => [] },
    isOn: () => true,
    openFile: async () => {},
    t: translator({}),
  });
  expect((await request({ action: "clear" })).list).toEqual({ notes: [], file: "", on: true });
});
