import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { commandScript } from "../../model-server/scripts/command.ts";
import { NEKO_AFTER, NEKO_BEFORE, nekoScript } from "../../model-server/scripts/neko.ts";
import { planScript } from "../../model-server/scripts/plan.ts";
import { stopScript } from "../../model-server/scripts/stop.ts";
import { TODO_FILES, todoScript } from "../../model-server/scripts/todo.ts";
import { type ModelServer, type Script, startModelServer } from "../../model-server/server.ts";
import { Agent, type AgentOptions } from "./agent.ts";
import { ask, clientOf, stream } from "./client.ts";

let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer({ script: { turns: [] } });
});

afterEach(async () => {
  expect(server.refusals).toEqual([]);
  await server.close();
});

const turns = (): (string | undefined)[] => server.requests.map((record) => record.turn);

describe.each(["native", "xml"] as const)("by the %s protocol", (protocol) => {
  function agent(script: Script, options: Partial<AgentOptions> = {}): Agent {
    server.setScript(JSON.parse(JSON.stringify(script)));
    return new Agent(server, { protocol, files: { "neko.txt": `${NEKO_BEFORE}\n` }, ...options });
  }

  it("neko: the edit, then the result", async () => {
    const run = agent(nekoScript());
    const last = await run.say("@/neko.txt 猫を犬にしてください");
    expect(turns()).toEqual(["edit", "done"]);
    expect(run.text).toMatch(/^<thinking>\n[\s\S]+\n<\/thinking>/);
    expect(run.calls[0]?.params.diff).toBe(
      `------- SEARCH\n${NEKO_BEFORE}\n=======\n${NEKO_AFTER}\n+++++++ REPLACE`,
    );
    expect(run.calls[0]?.params.task_progress).toMatch(/^- \[x\][\s\S]+- \[ \]/);
    expect(last?.params.task_progress).not.toContain("[ ]");
    expect(run.files.get("neko.txt")).toBe(`${NEKO_AFTER}\n`);
  });

  it("neko: refused", async () => {
    const run = agent(nekoScript(), {
      veto: (call) => (call.tool === "replace_in_file" ? "No." : undefined),
    });
    expect((await run.say("猫を犬に"))?.params.result).toContain("変えていません");
    expect(turns()).toEqual(["edit", "refused"]);
  });

  it("neko: held before the edit", async () => {
    const run = agent(nekoScript({ holdBeforeEdit: "edit", path: "cat.txt", before: "cat", after: "dog" }), {
      files: { "cat.txt": "cat" },
    });
    const done = run.say("go");
    await server.waitForHold("edit");
    expect(run.calls).toEqual([]);
    server.release("edit");
    await done;
    expect(run.files.get("cat.txt")).toBe("dog");
  });

  it("todo: looks, writes three files, ends", async () => {
    const run = agent(todoScript());
    await run.say("シンプルなTodoアプリを作成して");
    expect(run.calls.map((call) => call.tool)).toEqual([
      "read_file",
      "write_to_file",
      "write_to_file",
      "write_to_file",
      "attempt_completion",
    ]);
    for (const [name, content] of Object.entries(TODO_FILES)) expect(run.files.get(name)).toBe(content);
  });

  it("plan: a write too early, the plan, the work", async () => {
    const run = agent(planScript({ path: "a.txt", content: "A\n" }), {
      mode: "plan",
      veto: (call) =>
        call.tool === "write_to_file" && run.mode === "plan" ? "Not in plan mode." : undefined,
    });
    expect((await run.say("write a.txt"))?.tool).toBe("plan_mode_respond");
    expect(run.files.has("a.txt")).toBe(false);
    run.mode = "act";
    await run.say("go on");
    expect(run.files.get("a.txt")).toBe("A\n");
    expect(turns()).toEqual(["early write", "plan", "write", "done"]);
  });

  it("command: runs it, ends", async () => {
    const run = agent(commandScript({ command: "echo hi", result: "Said hi." }));
    expect((await run.say("say hi"))?.params.result).toBe("Said hi.");
    expect(run.calls[0]?.params.command).toBe("echo hi");
  });
});

it("stop: waits in the middle", async () => {
  server.setScript(stopScript({ lines: 3 }));
  const answer = stream(clientOf(server), ask("go"));
  await server.waitForHold("middle");
  server.release("middle");
  expect((await answer).content).toMatch(/^Line 1 .*\n[\s\S]*Line 6 of a long answer\.\n$/);
});
