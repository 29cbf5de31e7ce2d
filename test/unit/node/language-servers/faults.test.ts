/** Language servers that fail, wait, ask for too much or lie: each ends in a clear sentence, and none changes a file. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Interrupt } from "../../../../src/core/errors.ts";
import { runningProcesses } from "../../../support/processes.ts";
import { oneGuardForAll } from "../servers/support.ts";
import { temporaryFolder } from "../support.ts";
import { oddServer, present, userProject } from "./support.ts";

const FILES = { "one.odd": "word\n", "two.odd": "a word\n" };
const WORD = { path: "one.odd", symbol: "word" };

oneGuardForAll();

/** A project whose server has this manner, and what the server was told. */
async function odd(manner: string, more: Record<string, unknown> = {}, startMs = 10_000) {
  const log = path.join(await temporaryFolder(), "told");
  const made = await userProject(FILES, { odd: { ...oddServer(manner, log), ...more } }, startMs);
  const references = () => made.call("code_symbols", { operation: "references", ...WORD });
  return { ...made, references, told: () => readFile(log, "utf8") };
}

describe("without a server that may start", () => {
  it.each([
    ["there is no file", undefined, ""],
    ["the file is no JSON", "{", "lsp.json:1: "],
    ["an entry has no command", { odd: { extensionToLanguage: { ".odd": "odd" } } }, "odd.command"],
    [
      "a server speaks over a socket",
      { odd: { ...oddServer("plain"), transport: "socket" } },
      "odd.transport",
    ],
  ])("the host has no symbols: %s", async (_, configured, said) => {
    const { symbols, logged } = await userProject(FILES, configured);
    expect(symbols).toBeUndefined();
    expect(logged.join("\n")).toContain(said);
  });

  it("a file of the project is not read", async () => {
    const project = { ...FILES, ".lsp.json": JSON.stringify({ odd: oddServer("plain") }) };
    expect((await userProject(project)).symbols).toBeUndefined();
  });

  it("a program of the project is not started", async () => {
    const { call } = await userProject(FILES, {
      odd: { ...oddServer("plain"), command: "./server", args: [] },
    });
    expect(await call("code_symbols", { operation: "references", ...WORD })).toBe(
      "refused: The language server odd cannot start: there is no program ./server on PATH outside the project.",
    );
  });

  it("files of other languages are left to the search", async () => {
    const { call, write } = await odd("plain");
    await write("other.txt", "word");
    expect(await call("code_symbols", { operation: "references", path: "other.txt", symbol: "word" })).toBe(
      "No language server that is running knows the symbols of other.txt. Use search_files.",
    );
  });
});

describe("a server", () => {
  it("that ends says so in one sentence, and is started again for the next question", async () => {
    const { references } = await odd("dies");
    const ended =
      "refused: The language server odd exited with code 3, after it printed: first line | out of memory.";
    expect(await references()).toBe(ended);
    for (let again = 0; again < 3; again++) expect(await references()).toBe(ended);
  });

  it("that is still loading gives no facts, and gives them as soon as it says that it has finished", async () => {
    const { references, call } = await odd("loading", {}, 200);
    expect(await references()).toMatch(/^Not known yet: the language server is still starting/);
    expect(await call("refactor_code", { ...WORD, new_name: "term" })).toMatch(
      /^refused: The language server is still starting/,
    );
    const inTwo = { operation: "references", path: "two.odd", symbol: "word" };
    expect(await call("code_symbols", inTwo)).toMatch(/^2 lines with references in 2 files/);
    expect(await references()).toMatch(/^2 lines/);
  });

  it("that does not start in its time is ended", async () => {
    const { references } = await odd("mute", { startupTimeout: 300 });
    expect(await references()).toBe("refused: The language server odd did not answer within 0.3 s.");
  });

  it.each([
    [
      "garbage",
      "The language server odd was ended: it writes something other than the protocol to its standard output.",
    ],
    ["utf-8", "The language server odd counts columns in utf-8, which was not offered to it."],
  ])("with %s is refused", async (manner, words) => {
    expect(await (await odd(manner)).references()).toBe(`refused: ${words}`);
  });

  it("that wants to edit files itself may not", async () => {
    const { references, told } = await odd("edits");
    expect(await references()).toContain("1 | word");
    await expect.poll(told).toContain('answer {"applied":false');
  });

  it("whose rename creates files is refused", async () => {
    const { call } = await odd("creates");
    expect(await call("refactor_code", { ...WORD, new_name: "term" })).toMatch(
      /^refused: The language server would also create, rename or delete files/,
    );
  });

  it("is told to stop when the user stops", async () => {
    const { symbols, at, told } = await odd("slow");
    const port = present(symbols);
    const stop = new AbortController();
    const asked = port.references(at("one.odd"), { line: 0, column: 0 }, stop.signal);
    await expect.poll(told).toContain("request textDocument/references");
    stop.abort();
    await expect(asked).rejects.toBeInstanceOf(Interrupt);
    await expect.poll(told).toContain("$/cancelRequest");
  });

  it("gets the settings of its file, and ends with everything that it started", async () => {
    const { references, told, close } = await odd("parent", { settings: { odd: { deep: true } } });
    await references();
    await expect.poll(told).toContain('workspace/didChangeConfiguration {"settings":{"odd":{"deep":true}}}');
    const marks = new Set<string>();
    const running = () =>
      runningProcesses(({ args }, environment) => {
        const [mark] = /NEKODE_SERVER=[\w-]+/.exec(environment()) ?? [];
        const isOdd = args.some((arg) => arg.endsWith("odd.cjs"));
        if (isOdd && mark !== undefined) marks.add(mark);
        return mark !== undefined && (isOdd || marks.has(mark));
      });
    expect(running().length).toBeGreaterThan(0);
    await close();
    expect(running()).toEqual([]);
    await expect.poll(told).toContain("exit");
  });
});
