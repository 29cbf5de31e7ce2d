/** run_tests: who runs the tests, what the model and the row get, and that a command is one of execute_command. */
import { describe, expect, it } from "vitest";
import { Interrupt } from "../../../../src/core/errors.ts";
import type { TestResult } from "../../../../src/core/ports/editor-tests.ts";
import { memoryEditorTests } from "../../../support/memory-editor-tests.ts";
import { type MemoryOptions, memoryHost } from "../../../support/memory-host.ts";
import { type RunOptions, runTool } from "./run-tool.ts";

const FILES = {
  "package.json": JSON.stringify({ scripts: { test: "node --test" } }),
  "test/cart.test.js": "import './cart';\nit('adds', () => {\n  assert.equal(sum(1), 2);\n});\n",
  ".env": "KEY=1\n",
};
const FILE = "/project/test/cart.test.js";

const RESULTS: TestResult[] = [
  { name: "Cart > adds", state: "failed", path: FILE, line: 1, durationMs: 4.6, messages: [] },
  { name: "Cart > removes", state: "passed", path: FILE, line: 4, durationMs: 1, messages: [] },
  { name: "Cart > sells", state: "skipped", path: FILE, messages: [] },
];

function scene(results: readonly TestResult[] | undefined, options: MemoryOptions = {}) {
  const memory = memoryHost({ files: FILES, ...options });
  const editor = results && memoryEditorTests(results);
  if (editor) memory.host.editorTests = editor;
  const run = (params: Record<string, unknown> = {}, more: RunOptions = {}) =>
    runTool("run_tests", params, { memory, ...more });
  return { memory, editor, run };
}

describe("tests that the editor knows", () => {
  it("are run by it, and the failures are links", async () => {
    const { memory, editor, run } = scene(RESULTS);
    const { text, output, invocation } = await run({ path: "test" });
    expect(invocation).toMatchObject({
      paths: [{ path: "/project/test", access: "read" }],
      runsInEditor: true,
      view: { path: "test" },
    });
    expect(invocation?.command).toBeUndefined();
    expect(editor?.ran).toEqual([["/project/test"]]);
    expect(memory.commands).toEqual([]);
    expect(text.replace(/in \d+\.\d s/, "in 0.1 s")).toBe(
      [
        "The editor ran 3 tests in 0.1 s: 1 passed, 1 failed, 1 skipped.",
        "",
        "Failed:",
        "- Cart > adds (test/cart.test.js:2, 5 ms)",
        "",
        "The editor does not tell why they failed. This prints it, with execute_command: npm test -- test",
      ].join("\n"),
    );
    expect(output).toMatchObject({
      outcome: "failed",
      shown: {
        tests: { path: "test", passed: 1, failed: 1, skipped: 1, notRun: 0 },
        hits: { found: [{ path: "test/cart.test.js", line: 2, text: "Cart > adds" }], more: 0 },
      },
    });
    expect(output?.failed).toBeUndefined();
  });

  it("are all of those of the project if nothing is named", async () => {
    const { editor, run } = scene(RESULTS);
    await run();
    expect(editor?.ran).toEqual([["/project"]]);
  });

  it("have messages where the editor tells them, in bounds", async () => {
    const messages = ["expected 2\nbut was 1", "x".repeat(9_000)];
    const { run } = scene([{ name: "adds", state: "errored", path: FILE, messages }]);
    const { text } = await run({ path: "test/cart.test.js" });
    expect(text).toContain("- adds (test/cart.test.js, did not run to its end)\n  expected 2\n  but was 1\n");
    expect(text).not.toContain("does not tell why");
    expect(text.length).toBeLessThan(3_000);
  });

  it("are told only as far as their names are wanted, which needs a file", async () => {
    const { editor, memory, run } = scene(RESULTS);
    const { text } = await run({ path: "test/cart.test.js", name: "removes" });
    expect(text).toMatch(/^The editor ran 1 test in .* s: 1 passed\.$/);
    expect(editor?.ran).toHaveLength(1);
    await run({ name: "removes" });
    expect(editor?.ran).toHaveLength(1);
    expect(memory.commands).toEqual(["npm test -- --test-name-pattern=removes"]);
  });

  it("list the first failures of many, and how many more there are", async () => {
    const many = Array.from(
      { length: 70 },
      (_, n): TestResult => ({ name: `t${n}`, state: "failed", path: FILE, messages: ["no"] }),
    );
    const { text, output } = await scene(many).run({ path: "test" });
    expect(text).toContain("\n(20 more)");
    expect(output?.shown?.hits).toMatchObject({ found: { length: 50 }, more: 20 });
  });

  it("end with the task", async () => {
    const { editor, run } = scene(RESULTS);
    const controller = new AbortController();
    if (editor) editor.holds = new Promise(() => undefined);
    const running = run({ path: "test" }, { signal: controller.signal });
    controller.abort();
    await expect(running).rejects.toBeInstanceOf(Interrupt);
  });
});

describe("tests that only a command runs", () => {
  it("run as execute_command would run it, with all of its facts", async () => {
    const { memory, run } = scene([], {
      run: async (_command, _signal, onOutput) => {
        onOutput(
          "not ok 1 - adds\n  at file:///project/test/cart.test.js:3:10\n  at node_modules/x/a.js:1:1\n  test/none.js:4\n",
        );
        return 1;
      },
    });
    const { text, output, invocation } = await run({ path: "test/cart.test.js" });
    const command = "npm test -- test/cart.test.js";
    const { invocation: plain } = await runTool(
      "execute_command",
      { command, requires_approval: false },
      { files: FILES },
    );
    expect(invocation).toMatchObject({ command, requiresApproval: false, view: plain?.view ?? {} });
    expect(await invocation?.coverage?.view()).toEqual(await plain?.coverage?.view());
    expect(memory.commands).toEqual([command]);
    expect(text).toMatch(
      /^The command was: npm test -- test\/cart\.test\.js\nExit code 1 after 0\.0 s\.\nOutput:\nnot ok 1/,
    );
    expect(output?.shown).toMatchObject({
      exitCode: 1,
      tests: { command },
      hits: { found: [{ path: "test/cart.test.js", line: 3, text: "assert.equal(sum(1), 2);" }], more: 0 },
    });
  });

  it("name no places if they pass, and none of a file that may not be read", async () => {
    const print = (exitCode: number): MemoryOptions => ({
      run: async (_command, _signal, onOutput) => {
        onOutput("/project/test/cart.test.js:3\n");
        return exitCode;
      },
    });
    expect((await scene(undefined, print(0)).run()).output?.shown?.hits).toBeUndefined();
    const secret = await scene(undefined, print(1)).run({}, { unreadable: () => "secret" });
    expect(secret.output?.shown?.hits).toBeUndefined();
  });

  it("do not run once what they run is another than was approved", async () => {
    const { memory, run } = scene(undefined);
    const { error } = await run(
      {},
      { meanwhile: ({ files }) => void files.set("/project/package.json", "{}") },
    );
    expect(error).toMatch(/package\.json, which the command names, changed/);
    expect(memory.commands).toEqual([]);
  });
});

it("refuses what has no tests, before anybody is asked", async () => {
  const { memory, run } = scene(RESULTS);
  memory.host.workspace = { ...memory.host.workspace, trusted: false };
  expect((await run()).error).toMatch(/not trusted, so tests cannot run/);
  expect((await scene([]).run({ path: "nowhere" })).error).toMatch(/no file or folder at nowhere/);
  expect((await scene([], { noWorkspace: true }).run()).error).toMatch(/No folder is open/);
});
