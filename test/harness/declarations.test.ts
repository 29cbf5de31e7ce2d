/** The library's types, compiled by a consumer who has them and nothing else: no package, no other file of the repository. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildDeclarations } from "../../scripts/lib/declarations.mjs";
import { run } from "../../scripts/lib/processes.mjs";
import { sampled } from "../support/random.ts";

const TSC = path.join(import.meta.dirname, "../../node_modules/.bin/tsc");
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "nekode-declarations-"));
  await buildDeclarations(folder);
  // Longer than the compiler may take, whose own error says more.
}, 130_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

/** What tsc prints; "": it compiles. */
async function compile(source: string, options: Record<string, string>): Promise<string> {
  const compilerOptions = { noEmit: true, strict: true, skipLibCheck: false, types: [], target: "es2022" };
  const files = ["consumer.mts"];
  await writeFile(path.join(folder, "consumer.mts"), source);
  await writeFile(
    path.join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...compilerOptions, ...options }, files }),
  );
  return (await run(TSC, ["-p", folder], { anyExit: true })).output;
}

/** Every export, as a value or a type of the kind that docs/library.md promises. */
const CONSUMER = `import {
  type AssistantBlock, type AssistantEvent, applyPatch, applySearchReplace, createArgumentsParser, createAssistantParser,
  estimateTokens, findMentions, judgeCommand, judgePath, type Mention, parseAssistantMessage, type PatchedFile,
} from "./core.mjs";
const applied = applySearchReplace("a", "b");
export const content: string = applied.ok ? applied.content : applied.error;
const patched = applyPatch("*** Begin Patch", (path: string) => (path === "a" ? "text" : undefined));
export const files: PatchedFile[] = patched.ok ? patched.files : [];
export const ends: (string | null)[] = files.map(({ content, movedTo }) => movedTo ?? content);
export const blocks: AssistantBlock[] = parseAssistantMessage("text", []);
export const events: AssistantEvent[] = createAssistantParser([]).push("text");
export const mentions: Mention[] = findMentions("@a.ts");
export const tokens: number = estimateTokens("text");
export const judged: Promise<{ verdict: "allow" | "ask" | "deny"; reason: string }> =
  judgeCommand("ls", { shell: "bash", allow: [], deny: [] });
export const verdict: "allow" | "ask" | "deny" = (
  await judgePath("a", { root: "/", access: "read", realpath: async (path) => path })
).verdict;
createArgumentsParser().push("{");
`;

describe("the library's types", () => {
  it.each(sampled([{ module: "nodenext" }, { module: "esnext", moduleResolution: "bundler" }], 2))(
    "need nothing else, and say what is wrong with a call, with %o",
    async (options) => {
      const wrong = "estimateTokens(1);";
      const line = CONSUMER.split("\n").length;
      const output = await compile(`${CONSUMER}${wrong}\n`, options);
      // Nothing else is wrong.
      expect(output.trim().split("\n")).toEqual([
        expect.stringMatching(new RegExp(`consumer\\.mts\\(${line},16\\): error TS2345`)),
      ]);
    },
  );
});
