/** A model that goes round in circles with calls that succeed; and one that only waits. */
import { afterEach, describe, expect, it } from "vitest";
import type { ScriptPart } from "../../../model-server/server.ts";
import { type Agent, type AgentOptions, startAgent } from "../../../support/agent.ts";
import { underOne } from "../../../support/protocols.ts";

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const DONE: ScriptPart = { tool: "attempt_completion", params: { result: "Done." } };
const read = (path: string): ScriptPart => ({ tool: "read_file", params: { path } });
const run = (command: string): ScriptPart => ({
  tool: "execute_command",
  params: { command, requires_approval: false },
});
const write = (content: string): ScriptPart => ({
  tool: "write_to_file",
  params: { path: "out.txt", content },
});
const APPROVAL = { read: true, edit: true, commandAll: true };
const notice = () => agent.rows().findLast((row) => row.kind === "notice");
/** In which requests the newest results tell the model that it repeats itself. */
const nudged = () =>
  agent.server.requests
    .map((_, index) => agent.server.chat(index + 1).messages)
    .flatMap((messages, index) =>
      /made this same call/.test(JSON.stringify(messages.slice(-2))) ? [index + 1] : [],
    );

async function play(answers: ScriptPart[][], options: Partial<AgentOptions> = {}) {
  const turns = answers.map((answer) => ({ answer }));
  agent = await startAgent({
    script: { turns: [...turns, { times: true, answer: [DONE] }] },
    files: { "a.txt": "one\n", "b.txt": "two\n" },
    approval: APPROVAL,
    ...options,
  });
  await agent.view.send("do it");
  return (await agent.view.active.idle)?.type;
}

const times = (count: number, ...parts: ScriptPart[]) => Array.from({ length: count }, () => parts);

describe.each(underOne("xml"))("the same call with the same result, %s", (protocol) => {
  it("is told the model at the third, and asks the user at the fifth", async () => {
    expect(await play(times(9, read("a.txt")), { protocol })).toBe("limit");
    expect(agent.server.requests).toHaveLength(5);
    expect(nudged()).toEqual([4, 5]);
    expect(notice()).toMatchObject({ code: "repeat-limit", values: ["5"] });
    // Counting begins again when the user says to go on.
    await agent.view.active.retry();
    expect((await agent.view.active.idle)?.type).toBe("completed");
    expect(agent.server.requests).toHaveLength(10);
  });
});

it("also in turn with others that change nothing either", async () => {
  expect(await play(Array.from({ length: 20 }, (_, n) => [read(n % 2 ? "a.txt" : "b.txt")]))).toBe("limit");
  expect(agent.server.requests).toHaveLength(9);
});

it("also several in one message", async () => {
  expect(await play([[read("a.txt"), read("a.txt"), read("a.txt"), read("a.txt"), read("a.txt")]])).toBe(
    "limit",
  );
});

it("of commands, whatever time they took", async () => {
  let took = 0;
  const tests = async (_: string, __: AbortSignal, onOutput: (text: string) => void) => {
    onOutput(`12 passed in ${++took}.${took} s, started at 10:0${took}:00\n`);
    return 0;
  };
  expect(await play(times(9, run("npm test")), { run: tests })).toBe("limit");
  expect(agent.commands).toHaveLength(5);
});

it("of an edit that changes nothing", async () => {
  expect(await play(times(9, write("same\n")))).toBe("limit");
});

describe("is a loop although something changes in between", () => {
  it("when two edits undo each other", async () => {
    expect(await play(Array.from({ length: 20 }, (_, n) => [write(n % 2 ? "a\n" : "b\n")]))).toBe("limit");
    expect(agent.server.requests).toHaveLength(9);
    expect(nudged()).toEqual([6, 7, 8, 9]);
  });

  it("when the same call fails again and again", async () => {
    const rounds = Array.from({ length: 20 }, (_, n) => [[read("none.txt")], [write(`${n}\n`)]]).flat();
    expect(await play(rounds, { files: { "out.txt": "" } })).toBe("limit");
    expect(agent.server.requests).toHaveLength(9);
    expect(notice()).toMatchObject({ code: "repeat-limit", values: ["5"] });
  });
});

describe("is no loop where something changes", () => {
  it("by an edit between", async () => {
    const rounds = Array.from({ length: 8 }, (_, n) => [[write(`${n}\n`)], [read("a.txt")]]).flat();
    expect(await play(rounds)).toBe("completed");
    expect(nudged()).toEqual([]);
  });

  it("by another command between", async () => {
    const rounds = Array.from({ length: 8 }, (_, n) => [[run(`make ${n}`)], [run("npm test")]]).flat();
    expect(await play(rounds)).toBe("completed");
    expect(nudged()).toEqual([]);
  });

  it("in its result", async () => {
    let count = 0;
    const counting = async (_: string, __: AbortSignal, onOutput: (text: string) => void) => {
      onOutput(`${count++} files left\n`);
      return 0;
    };
    expect(await play(times(8, run("ls | wc -l")), { run: counting })).toBe("completed");
  });

  it("by the user's words", async () => {
    expect(await play([...times(4, read("a.txt")), [DONE], ...times(4, read("a.txt")), [DONE]])).toBe(
      "completed",
    );
    await agent.view.send("again");
    expect((await agent.view.active.idle)?.type).toBe("completed");
  });
});

it("asking again what a command in the background printed is exempt", async () => {
  const poll: ScriptPart = { tool: "read_terminal", params: { id: "1" } };
  agent = await startAgent({
    script: { turns: [...times(12, poll).map((answer) => ({ answer })), { answer: [DONE] }] },
  });
  agent.host.shell.readTerminal = async () => ({
    id: "1",
    command: "npm run dev",
    running: true,
    durationMs: 1_000,
    newOutput: "",
  });
  await agent.view.send("wait for it");
  expect((await agent.view.active.idle)?.type).toBe("completed");
  expect(nudged()).toEqual([]);
});

describe("a command that the model marks as requiring approval", () => {
  const marked = (command: string): ScriptPart => ({
    tool: "execute_command",
    params: { command, requires_approval: true },
  });
  const settings = (ignoreRequiresApproval: boolean) => ({
    approval: { read: true, commandSafe: true, commandAll: true, ignoreRequiresApproval },
    settings: { commands: { allow: ["ls", "npm test"] } },
  });

  it.each(["ls", "npm test", "rm -r build"])(
    "%s asks, although all commands are approved",
    async (command) => {
      agent = await startAgent({
        script: { turns: [{ answer: [marked(command)] }, { answer: [DONE] }] },
        ...settings(false),
      });
      const asked = agent.asked();
      await agent.view.send("do it");
      const id = await asked;
      expect(agent.commands).toEqual([]);
      const call = agent.calls().find((row) => row.id === id);
      expect(call?.approval?.reason.code).toBe("requires-approval");
      // It would ask again all the same.
      expect(call?.approval?.always).toBeUndefined();
      agent.view.active.approve(id);
      await agent.view.active.idle;
      expect(agent.commands).toEqual([command]);
    },
  );

  it("runs unasked where the setting overrides the mark", async () => {
    expect(await play([[marked("rm -r build")]], settings(true))).toBe("completed");
    expect(agent.commands).toEqual(["rm -r build"]);
  });
});
