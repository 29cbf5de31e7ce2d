/** Tests of a real controller of VS Code, which the product finds and runs by the editor's own commands. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { TestControllers } from "../../src/vscode/editor/test-controllers.ts";
import { Kit } from "./support/kit.ts";

const { signal } = new AbortController();
const FILE = "shop/cart.test.txt";

describe("Tests in the editor", () => {
  let kit: Kit;
  let controllers: TestControllers;
  let controller: vscode.TestController | undefined;

  beforeEach(async () => {
    kit = new Kit();
    controllers = new TestControllers({ files: async () => ({ paths: [FILE, "readme.txt"], more: false }) });
    await kit.file(FILE, "adds\nremoves\nsells\nhangs\n");
    await kit.file("readme.txt", "no tests\n");
  });
  afterEach(async () => {
    controller?.dispose();
    controller = undefined;
    await kit.dispose();
  });

  /** A file, a group in it, and tests in that; each ends as `ends` says. */
  async function provide(
    ends: Record<string, "passes" | "fails" | "is skipped" | "hangs">,
  ): Promise<{ ended: Promise<void> }> {
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const made = vscode.tests.createTestController("suite", "Suite");
    controller = made;
    const file = made.createTestItem("file", "cart.test.txt", kit.uri(FILE));
    const group = made.createTestItem("group", "Cart", kit.uri(FILE));
    group.range = new vscode.Range(0, 0, 3, 0);
    Object.keys(ends).forEach((name, line) => {
      const item = made.createTestItem(name, name, kit.uri(FILE));
      item.range = new vscode.Range(line, 0, line, 4);
      group.children.add(item);
    });
    file.children.add(group);
    made.createRunProfile(
      "Run",
      vscode.TestRunProfileKind.Run,
      async (request, token) => {
        const run = made.createTestRun(request);
        for (const [, item] of group.children) {
          run.started(item);
          const way = ends[item.id];
          if (way === "passes") run.passed(item, 12);
          if (way === "fails") run.failed(item, new vscode.TestMessage("it is wrong"), 7);
          if (way === "is skipped") run.skipped(item);
          if (way === "hangs") await new Promise((resolve) => token.onCancellationRequested(resolve));
        }
        run.end();
        end();
      },
      true,
    );
    made.items.add(file);
    // No event tells when the window knows them.
    while (!(await controllers.knows([kit.path(FILE)], signal)));
    return { ended };
  }

  it("are known for their file and its folders, and for nothing else", async () => {
    assert.equal(await controllers.knows([kit.path(FILE)], signal), false);
    await provide({ adds: "passes" });
    assert.equal(await controllers.knows([kit.folder], signal), true);
    assert.equal(await controllers.knows([kit.path("readme.txt")], signal), false);
    assert.equal(await controllers.knows([kit.path("nowhere")], signal), false);
  });

  it("have a result each, with its group, place and duration", async () => {
    await provide({ adds: "passes", removes: "fails", sells: "is skipped" });
    const expected = [
      { name: "Cart > adds", state: "passed", path: kit.path(FILE), line: 0, durationMs: 12, messages: [] },
      { name: "Cart > removes", state: "failed", path: kit.path(FILE), line: 1, durationMs: 7, messages: [] },
      { name: "Cart > sells", state: "skipped", path: kit.path(FILE), line: 2, messages: [] },
    ];
    const results = async (target: string) =>
      (await controllers.run([target], signal)).map((each) => ({ ...each, messages: [] }));
    assert.deepEqual(await results(kit.path(FILE)), expected);
    assert.deepEqual(await results(kit.folder), expected);
    assert.equal(vscode.window.activeTextEditor, undefined);
    assert.deepEqual(
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs),
      [],
    );
  });

  it("are stopped with the task, even if the editor has not begun", async () => {
    const { ended } = await provide({ adds: "passes", hangs: "hangs" });
    const task = new AbortController();
    const running = controllers.run([kit.path(FILE)], task.signal);
    task.abort();
    await assert.rejects(running, { name: "Interrupt" });
    await ended;
  });
});
