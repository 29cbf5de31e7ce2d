/** Symbols of VS Code's own TypeScript server, whose files are open in no tab. */
import assert from "node:assert/strict";
import { cp } from "node:fs/promises";
import * as path from "node:path";
import * as vscode from "vscode";
import type { Host } from "../../src/core/ports/host.ts";
import type { CodeSymbols } from "../../src/core/ports/symbols.ts";
import { TaskBrowser } from "../../src/core/tools/browser/task-browser.ts";
import { codeSymbols } from "../../src/core/tools/code-symbols.ts";
import { refactorCode } from "../../src/core/tools/refactor-code.ts";
import { searchFiles } from "../../src/core/tools/search-files.ts";
import type { Tool, ToolContext, ToolOutput } from "../../src/core/tools/tool.ts";
import { settingsSchema } from "../../src/shared/settings.ts";
import { EditorCodeSymbols } from "../../src/vscode/editor/editor-code-symbols.ts";
import { EditorSurroundings } from "../../src/vscode/editor/editor-surroundings.ts";
import { LanguageServers } from "../../src/vscode/editor/language-servers.ts";
import { editorRipgrep } from "../../src/vscode/editor-host.ts";
import { createNodeHost } from "../support/node-host.ts";
import { taskPages } from "../support/task-pages.ts";
import { Kit, quietLog } from "./support/kit.ts";

const { signal } = new AbortController();
const TSCONFIG = JSON.stringify({ compilerOptions: { strict: true, module: "esnext" }, include: ["src"] });

describe("Symbols", () => {
  let kit: Kit;
  let host: Host;
  let symbols: CodeSymbols;
  let context: ToolContext;

  beforeEach(async () => {
    kit = new Kit();
    const made = createNodeHost({
      ...{ root: kit.folder, dataDir: kit.path("data"), assetsDir: kit.path("assets"), log: quietLog },
      rgPath: editorRipgrep(vscode.env.appRoot) ?? "rg",
    });
    const { search, workspace } = made.host;
    symbols = new EditorCodeSymbols(new LanguageServers({ search, workspace }));
    host = { ...made.host, files: kit.files, editor: kit.previews, codeSymbols: symbols };
    const settings = settingsSchema.parse({});
    context = {
      ...{ host, signal, settings: () => settings, mode: () => "act", seen: new Map() },
      ...{ pages: taskPages(host), browser: new TaskBrowser({}), sessionId: () => "session" },
      editAllowed: async () => true,
      unreadable: async () => undefined,
      seesImages: () => false,
    };
    await kit.file("tsconfig.json", TSCONFIG);
  });
  afterEach(async () => {
    host.shell.dispose();
    await kit.dispose();
  });

  async function run(tool: Tool, params: Record<string, unknown>): Promise<string> {
    const invocation = await tool.prepare(params, context);
    const output: ToolOutput = await invocation.run({
      ...{ callId: "call", signal, isRestored: false, onOutput: () => {} },
      ask: async () => ({ action: "cancel" }),
      propose: async () => ({ type: "rejected", comment: undefined }),
    });
    return output.parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  }

  /** A class in one file, and `count` files that use it. */
  async function shop(count: number): Promise<void> {
    await kit.file("src/cart.ts", "export class Cart {\n  total(): number {\n    return 1;\n  }\n}\n");
    await kit.file("src/other.ts", "export class Other {\n  total(): number {\n    return 2;\n  }\n}\n");
    for (let index = 0; index < count; index++)
      await kit.file(
        `src/use${index}.ts`,
        `import { Cart } from "./cart";\nimport { Other } from "./other";\nexport const a${index} = new Cart().total() + new Other().total();\n`,
      );
  }

  it("are found by name before any file is open, without opening a tab", async () => {
    await shop(2);
    const text = await run(codeSymbols, { operation: "find", query: "Cart" });
    assert.match(text, /src\/cart\.ts\n1 \| export class Cart \{ {2}\(class\)/);
    assert.deepEqual(
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs),
      [],
    );
    assert.equal(vscode.window.activeTextEditor, undefined);
  });

  it("are found to be mentioned before any file is open, where the user looks for symbols alone", async () => {
    await shop(1);
    await kit.file("src/shelf.ts", "export class ShelfOfMentions {\n  place() {}\n}\n");
    const { search, workspace } = host;
    const servers = new LanguageServers({ search, workspace });
    const surroundings = new EditorSurroundings(
      async () => [],
      undefined,
      (asked) => servers.stateOfWorkspace(asked),
    );
    try {
      const found = await surroundings.findSymbols("ShelfOfMentions", signal, { starts: true });
      assert.deepEqual(
        found.map(({ path: file, ...symbol }) => ({ ...symbol, file: path.basename(file) })),
        [{ name: "ShelfOfMentions", start: 1, end: 3, file: "shelf.ts" }],
      );
    } finally {
      surroundings.dispose();
    }
  });

  it("have references, a definition and calls, each exactly of that symbol", async () => {
    await shop(3);
    const at = { path: "src/cart.ts", line: 2, symbol: "total" };
    const references = await run(codeSymbols, { operation: "references", ...at });
    assert.match(references, /^4 lines with references in 4 files\n/);
    assert.doesNotMatch(references, /src\/other\.ts/);
    const use = { path: "src/use1.ts", line: 3, symbol: "total() +" };
    assert.match(
      await run(codeSymbols, { operation: "definition", ...use }),
      /^1 definition in 1 file\n\nsrc\/cart\.ts\n2 \| total\(\): number \{$/,
    );
    assert.match(
      await run(codeSymbols, { operation: "callers", ...at }),
      /^3 lines with calls in 3 files\n[\s\S]*src\/use0\.ts\n3 \| export const a0/,
    );
    assert.equal(vscode.window.activeTextEditor, undefined);
  });

  it("are renamed in 20 files as one change", async () => {
    await shop(19);
    const text = await run(refactorCode, {
      ...{ path: "src/cart.ts", line: 2, symbol: "total", new_name: "sum" },
    });
    assert.match(text, /^src\/cart\.ts was changed on line 2\./);
    for (let index = 0; index < 19; index++)
      assert.match(
        (await kit.bytes(`src/use${index}.ts`)).toString(),
        /new Cart\(\)\.sum\(\) \+ new Other\(\)\.total\(\)/,
      );
    assert.match((await kit.bytes("src/other.ts")).toString(), /total/);
    await assert.rejects(
      run(refactorCode, { path: "src/cart.ts", line: 3, symbol: "return", new_name: "x" }),
      {
        name: "ToolError",
        message: /cannot rename|can't be renamed/,
      },
    );
    assert.equal(vscode.window.activeTextEditor, undefined);
  });

  it("have refactorings that become a change", async () => {
    await kit.file("src/a.ts", "export function area(width: number) {\n  return width * (1 + 2);\n}\n");
    const at = { path: "src/a.ts", line: 2, symbol: "(1 + 2)" };
    const invoke = (action?: string) => run(refactorCode, { ...at, ...(action ? { action } : {}) });
    let list = "";
    await assert.rejects(invoke(), (error: Error) => {
      list = error.message;
      return true;
    });
    const title = /- (Extract to constant in enclosing scope) \(refactor\.extract\.constant\)/.exec(
      list,
    )?.[1];
    assert.ok(title, list);
    assert.match(await invoke(title), /^src\/a\.ts was changed on line/);
    assert.match(
      (await kit.bytes("src/a.ts")).toString(),
      /const newLocal = 1 \+ 2;\n {2}return width \* newLocal;/,
    );
  });

  it("cost at most a fifth of a search in three tasks on real code", async () => {
    const source = path.join(__dirname, "../../../src/core");
    for (const part of ["edits", "text.ts"])
      await cp(path.join(source, part), kit.path(`src/${part}`), { recursive: true });
    const tasks: [question: Record<string, unknown>, word: string][] = [
      [{ operation: "references", path: "src/edits/line-index.ts", symbol: "text: string;" }, "text"],
      [{ operation: "references", path: "src/edits/line-index.ts", symbol: "ending(row" }, "ending"],
      [{ operation: "definition", path: "src/edits/splice.ts", symbol: "MatchRange, sides" }, "MatchRange"],
    ];
    for (const [question, word] of tasks) {
      const answer = await run(codeSymbols, question);
      const search = await run(searchFiles, { path: ".", regex: `\\b${word}\\b` });
      const [few, many] = [answer, search].map((text) => Buffer.byteLength(text));
      assert.match(answer, /^\d+ (?:lines? with references|definitions?) in/);
      assert.ok((few ?? 0) * 5 <= (many ?? 0), `${question.operation} of ${word}: ${few} of ${many} bytes`);
    }
  });
});
