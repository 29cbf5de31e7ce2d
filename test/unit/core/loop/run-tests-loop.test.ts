/** Tests that the editor runs, which is code outside of any sandbox; and tests that a command runs, which is judged as any command. */
import { afterEach, describe, expect, it } from "vitest";
import type { TestResult } from "../../../../src/core/ports/editor-tests.ts";
import { LEVEL_ACCESS } from "../../../../src/shared/permission/levels.ts";
import { type Agent, type AgentOptions, startAgent } from "../../../support/agent.ts";
import { type MemoryEditorTests, memoryEditorTests } from "../../../support/memory-editor-tests.ts";

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const FILES = {
  "package.json": JSON.stringify({ scripts: { test: "node --test" } }),
  "a.test.js": "it();\n",
};
const RESULT: TestResult = { name: "adds", state: "passed", path: "/project/a.test.js", messages: [] };
let editor: MemoryEditorTests | undefined;

/** A task that runs the tests of the file once. */
async function start(options: Partial<AgentOptions> = {}, results: readonly TestResult[] = [RESULT]) {
  agent = await startAgent({
    script: {
      turns: [
        { match: { request: 1 }, answer: [{ tool: "run_tests", params: { path: "a.test.js" } }] },
        { match: { request: 2 }, answer: [{ tool: "attempt_completion", params: { result: "Done." } }] },
      ],
    },
    files: FILES,
    before(memory) {
      editor = memoryEditorTests(results);
      memory.host.editorTests = editor;
    },
    ...options,
  });
}

const asked = () => agent.events.flatMap((event) => (event.type === "approval" ? [event.approval] : []));

describe("tests in the editor", () => {
  it.each(["ask", "edits", "safe"] as const)(
    "ask at the level %s, and the card says where they run",
    async (level) => {
      await start({ approval: LEVEL_ACCESS[level], hasSandbox: true });
      await agent.view.send("go");
      const call = await agent.asked();
      expect(editor?.ran).toEqual([]);
      expect(asked()).toMatchObject([
        { access: "command", path: "a.test.js", reason: { code: "runs-in-editor" } },
      ]);
      expect(asked()[0]?.command).toBeUndefined();
      agent.view.active.approve(call);
      await agent.view.active.idle;
      expect(editor?.ran).toEqual([["/project/a.test.js"]]);
      expect(agent.commands).toEqual([]);
    },
  );

  it("run without a question where all commands do", async () => {
    await start({ approval: LEVEL_ACCESS.all });
    await agent.view.send("go");
    await agent.view.active.idle;
    expect(asked()).toEqual([]);
    expect(editor?.ran).toHaveLength(1);
  });

  it("do not run in plan mode, nor after a rejection", async () => {
    await start({ approval: LEVEL_ACCESS.all });
    await agent.view.active.setMode("plan");
    await agent.view.send("go");
    await agent.view.active.idle;
    expect(agent.calls()[0]).toMatchObject({ tool: "run_tests", state: "failed" });
    expect(editor?.ran).toEqual([]);
    await agent.close();
    await start();
    await agent.view.send("go");
    agent.view.active.reject(await agent.asked());
    await agent.view.active.idle;
    expect(editor?.ran).toEqual([]);
  });

  it("do not run for an agent that may run only certain commands", async () => {
    await start({
      approval: LEVEL_ACCESS.all,
      files: {
        ...FILES,
        ".claude/agents/careful.md":
          "---\nname: careful\ndescription: Is careful.\ntools: Read, Bash(git status:*)\n---\nBe careful.\n",
      },
    });
    await agent.project.chooseAgent(agent.view.active, "careful");
    await agent.view.send("go");
    await agent.view.active.idle;
    expect(agent.calls()[0]?.shown?.reason?.code).toBe("agent-commands");
    expect(editor?.ran).toEqual([]);
  });
});

describe("tests by the project's command", () => {
  it("run in the sandbox where safe commands do, and the row shows the command", async () => {
    await start({ approval: LEVEL_ACCESS.safe, hasSandbox: true }, []);
    await agent.view.send("go");
    await agent.view.active.idle;
    expect(asked()).toEqual([]);
    expect(agent.commands).toEqual(["npm test -- a.test.js"]);
    const [call] = agent.calls();
    expect(call).toMatchObject({ tool: "run_tests", state: "done", subject: "npm test -- a.test.js" });
    expect(call?.shown?.sandbox).toBeDefined();
  });

  it("ask as the command does, with its words and its files", async () => {
    await start({ approval: LEVEL_ACCESS.edits }, []);
    await agent.view.send("go");
    await agent.asked();
    expect(asked()).toMatchObject([
      {
        access: "command",
        command: "npm test -- a.test.js",
        covers: { files: ["package.json", "a.test.js"] },
      },
    ]);
    await agent.view.stop();
    expect(agent.commands).toEqual([]);
  });
});
