/** What an edit breaks, in files that are in no tab: of VS Code's own TypeScript server, and of servers that check open documents. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { Clock } from "../../src/core/ports/system.ts";
import { systemClock } from "../../src/node/clock.ts";
import { ProblemTracker } from "../../src/vscode/editor/new-problems.ts";
import { Kit } from "./support/kit.ts";

describe("Problems after a change of a file in no tab", () => {
  let kit: Kit;
  beforeEach(async () => {
    kit = new Kit();
    await kit.file("tsconfig.json", '{ "compilerOptions": { "strict": true }, "include": ["src"] }');
  });
  afterEach(async () => {
    await kit.dispose();
  });

  const noTab = () =>
    assert.deepEqual(
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label)),
      [],
    );

  it("are those that are new, and no tab opens", async () => {
    await kit.file("src/a.ts", "export const one: number = 1;\nexport const old: number = 'x';\n");
    const text = "export const two: string = 2;\nexport const old: number = 'x';\n";
    const saved = await kit.approve("src/a.ts", text, false);
    assert.deepEqual(saved.newProblems, [
      "line 1: error: Type 'number' is not assignable to type 'string'. (ts 2322)",
    ]);
    assert.equal(saved.problemsUnknown, undefined);
    noTab();
    const mended = await kit.approve("src/a.ts", text.replace("2;", "'2';"), false);
    assert.deepEqual(mended.newProblems, []);
    noTab();
  });

  it("are those of a new file", async () => {
    await kit.file("src/a.ts", "export const one = 1;\n");
    const preview = kit.previews.preview(kit.path("src/b.ts"), null, { show: false });
    await preview.finish('import { two } from "./a";\nexport const sum: number = two;\n');
    assert.deepEqual((await preview.save()).newProblems, [
      "line 1: error: Module '\"./a\"' has no exported member 'two'. (ts 2305)",
    ]);
    noTab();
  });

  it("are those of a syntax error, too", async () => {
    await kit.file("src/a.ts", "export const one = 1;\n");
    const { newProblems } = await kit.approve("src/a.ts", "export const one = ;\n", false);
    assert.deepEqual(newProblems, ["line 1: error: Expression expected. (ts 1109)"]);
  });

  it("are known of a change to several files once all are written", async () => {
    await kit.file("src/a.ts", "export const one = 1;\n");
    await kit.file("src/b.ts", 'import { one } from "./a";\nexport const sum: number = one;\n');
    const write = async (name: string, text: string) => {
      const original = await kit.files.readText(kit.path(name));
      const preview = kit.previews.preview(kit.path(name), original, { show: false });
      await preview.finish(text);
      assert.deepEqual((await preview.save(undefined, { checks: false })).newProblems, []);
    };
    const watch = await kit.previews.watchProblems(["src/a.ts", "src/b.ts"].map((name) => kit.path(name)));
    await write("src/a.ts", "export const first = 1;\n");
    await write("src/b.ts", 'import { first } from "./a";\nexport const sum: number = first;\nmissing();\n');
    const folder = vscode.workspace.asRelativePath(kit.folder);
    assert.deepEqual(await watch.newProblems(), {
      newProblems: [`${folder}/src/b.ts line 3: error: Cannot find name 'missing'. (ts 2304)`],
      problemsUnknown: false,
    });
    noTab();
  });

  it("are known of a file in folders that were made for it, because the editor watches them", async () => {
    const preview = kit.previews.preview(kit.path("src/a/b/c/d.ts"), null, { show: false });
    await preview.finish("export const one = 1;\n");
    assert.deepEqual((await preview.save()).newProblems, []);
    const { newProblems } = await kit.approve("src/a/b/c/d.ts", "export const one = ;\n", false);
    assert.deepEqual(newProblems, ["line 1: error: Expression expected. (ts 1109)"]);
  });

  it("are said to be unknown where the editor notices no change, and are then waited for less in that folder", async () => {
    const limits: number[] = [];
    const after: Clock["after"] = (ms, run) => {
      limits.push(ms);
      return systemClock.after(ms / 10, run);
    };
    const problems = new ProblemTracker({ after }, kit.scheme);
    /** What is found where nothing changes: an editor that does not notice a change sees just that. */
    const unnoticed = async (name: string) => {
      await kit.file(name, "export const one = 1;\n");
      const watch = await problems.watch(kit.uri(name));
      limits.length = 0;
      return { ...(await watch.newProblems()), limits };
    };
    assert.deepEqual(await unnoticed("src/a.ts"), { lines: [], isUnknown: true, limits: [3_000] });
    assert.deepEqual(await unnoticed("src/b.ts"), { lines: [], isUnknown: true, limits: [700] });
    assert.deepEqual(await unnoticed("other/c.ts"), { lines: [], isUnknown: true, limits: [3_000] });
    problems.dispose();
  });

  it("of a server that checks open documents are found, because the file is opened in the background", async () => {
    const collection = vscode.languages.createDiagnosticCollection("checker");
    const check = (document: vscode.TextDocument) => {
      if (document.uri.fsPath !== kit.path("note.md")) return;
      const found = /wrong/.test(document.getText()) ? ["wrong word"] : [];
      const range = new vscode.Range(0, 0, 0, 1);
      collection.set(
        document.uri,
        ["known", ...found].map((message) => new vscode.Diagnostic(range, message)),
      );
    };
    const listening = [
      vscode.workspace.onDidOpenTextDocument(check),
      vscode.workspace.onDidChangeTextDocument(({ document }) => check(document)),
    ];
    try {
      await vscode.extensions.getExtension("vscode.markdown-language-features")?.activate();
      await kit.file("note.md", "# One\n");
      const { newProblems } = await kit.approve("note.md", "# wrong\n", false);
      assert.ok(newProblems.includes("line 1: error: wrong word"), newProblems.join("\n"));
      noTab();
    } finally {
      for (const each of listening) each.dispose();
      collection.dispose();
    }
  });

  it("are not looked for by opening a file whose language servers fetch what it names", async () => {
    await kit.file("data.json", '{ "a": 1 }\n');
    const saved = await kit.approve("data.json", '{ "a": 2 }\n', false);
    assert.deepEqual(saved.newProblems, []);
    assert.ok(vscode.workspace.textDocuments.every(({ uri }) => uri.fsPath !== kit.path("data.json")));
  });
});
