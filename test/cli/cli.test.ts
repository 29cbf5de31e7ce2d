/** The terminal host: the main job without VS Code, its options and its exit codes. */
import type { ChildProcess } from "node:child_process";
import { stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { commandScript } from "../model-server/scripts/command.ts";
import { NEKO_AFTER, NEKO_BEFORE, nekoScript } from "../model-server/scripts/neko.ts";
import { planScript } from "../model-server/scripts/plan.ts";
import { stopScript } from "../model-server/scripts/stop.ts";
import { todoScript } from "../model-server/scripts/todo.ts";
import { type ModelServer, type Script, type ScriptPart, startModelServer } from "../model-server/server.ts";
import { isAlive } from "../support/processes.ts";
import { underOne } from "../support/protocols.ts";
import { Project } from "./support.ts";

const BEFORE = `${NEKO_BEFORE}\n`;
const AFTER = `${NEKO_AFTER}\n`;
const WISH = "@/neko.txt 猫を犬にしてください";

let server: ModelServer;
let project: Project;
let env: Record<string, string>;

beforeEach(async () => {
  server = await startModelServer();
  project = await Project.create({ "neko.txt": BEFORE });
  env = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "sk-secret-of-the-test" };
});
afterEach(async () => {
  expect(server.refusals).toEqual([]);
  await server.close();
  await project.remove();
});

const use = (script: Script) => server.setScript(script);

it("says which version it is", async () => {
  expect(await project.run(["--version"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  });
});

describe.each(underOne("xml"))("the reference exchange under %s", (protocol) => {
  const args = ["--protocol", protocol, WISH];

  it("shows the change, asks, saves on y, and is left by Ctrl-C, on a real terminal", async () => {
    use(nekoScript());
    const { code, stdout } = await project.converseOnTerminal(["--protocol", protocol], env, [
      ["> ", `${WISH}\r`],
      ["[n]o", "y\r"],
      ["「犬」に置き換えました", ""],
      ["> ", "\u0003"],
    ]);
    expect(stdout).toContain(`+${NEKO_AFTER}`);
    expect(stdout).toContain(`-${NEKO_BEFORE}`);
    expect(code).toBe(130);
    expect(await project.read("neko.txt")).toBe(AFTER);
    expect(JSON.stringify(server.chat(2).messages)).toContain("<final_file_content path=");
    expect(stdout).not.toContain("sk-secret");
  });

  it("a comment rejects: the bytes stay and the model is told", async () => {
    use(nekoScript());
    const { code } = await project.converse(args, env, [["[n]o", "狸にして\r"]]);
    expect(code).toBe(0);
    expect(await project.read("neko.txt")).toBe(BEFORE);
    expect(JSON.stringify(server.chat(2).messages)).toContain("狸にして");
  });

  it("makes the Todo application without asking when told so", async () => {
    use(todoScript());
    const task = "シンプルなTodoアプリを作成して";
    const { code, stdout } = await project.run(["--protocol", protocol, "--approve", "read,edit", task], env);
    expect(code).toBe(0);
    expect(stdout.trim()).not.toBe("");
    for (const name of ["index.html", "style.css", "script.js"])
      expect(await project.read(name)).not.toBe("");
  });
});

describe("with nobody to ask", () => {
  /** Returns the id of the paused session. */
  async function pause(): Promise<string> {
    use(nekoScript());
    const { code, stderr } = await project.run([WISH], env);
    expect(code).toBe(4);
    expect(stderr).toContain("--approve");
    expect(await project.read("neko.txt")).toBe(BEFORE);
    const listed = await project.run(["--list"], env);
    expect(listed.stdout).toContain(WISH);
    const id = listed.stdout.split(" ")[0] ?? "";
    expect(stderr).toContain(`nekode --resume ${id}`);
    return id;
  }

  it("pauses with exit 4, and goes on with exactly that call where it is allowed", async () => {
    const id = await pause();
    expect((await project.run(["--resume", id], env)).code).toBe(4);
    expect(await project.read("neko.txt")).toBe(BEFORE);
    expect(server.requests).toHaveLength(1);
    const { code } = await project.run(["--resume", id, "--approve", "read,edit"], env);
    expect(code).toBe(0);
    expect(await project.read("neko.txt")).toBe(AFTER);
    expect(server.requests).toHaveLength(2);
  });

  it("asks again for that call where there is a terminal", async () => {
    const id = await pause();
    const { code, stdout } = await project.converse(["--resume", id], env, [
      ["[n]o", "y\r"],
      ["「犬」に置き換えました", "/exit\r"],
    ]);
    expect(stdout).toContain(`+${NEKO_AFTER}`);
    expect(await project.read("neko.txt")).toBe(AFTER);
    expect(code).toBe(0);
  });

  it("takes words as the answer to the call, which is then rejected", async () => {
    const id = await pause();
    use({ turns: [{ answer: [{ tool: "attempt_completion", params: { result: "Went on." } }] }] });
    const resumed = await project.run(["--resume", id, "狸にして"], env);
    expect(resumed.code).toBe(0);
    expect(resumed.stdout).toContain("Went on.");
    expect(JSON.stringify(server.chat(2).messages)).toContain("狸にして");
    expect(await project.read("neko.txt")).toBe(BEFORE);
  });
});

it("finds, exports and takes in sessions", async () => {
  use({ turns: [{ answer: [{ tool: "attempt_completion", params: { result: "吾輩は犬である。" } }] }] });
  await project.run(["rename the cat"], env);
  const found = await project.run(["--search", "犬である CAT"], env);
  expect(found.code).toBe(0);
  expect(found.stdout).toContain("rename the cat");
  expect((await project.run(["--list", "--search", "absent"], env)).stdout).toBe("");
  const id = found.stdout.split(" ")[0] ?? "";
  const markdown = await project.run(["--export", id], env);
  expect(markdown.stdout).toMatch(/^# rename the cat\n/);
  const json = await project.run(["--export", id, "--format", "json"], env);
  await writeFile(path.join(project.folder, "session.json"), json.stdout);
  const taken = await project.run(["--import", "session.json"], env);
  expect(taken.code).toBe(0);
  expect(taken.stdout.trim()).not.toBe(id);
  const listed = await project.run(["--list", "--json"], env);
  const sessions = listed.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(sessions.map((session) => session.title)).toEqual(["rename the cat", "rename the cat"]);
  const refused = await project.run(["--import", "neko.txt"], env);
  expect(refused).toMatchObject({
    code: 1,
    stderr: "nekode: This file is not JSON, so it is not an exported session.\n",
  });
  expect((await project.run(["--import", "absent.json"], env)).code).toBe(2);
  expect((await project.run(["--export", "nowhere"], env)).code).toBe(1);
  expect((await project.run(["--list", "--export", id], env)).code).toBe(2);
});

it("a session that another process works on is gone on with only by whoever takes it over", async () => {
  use({
    scope: "server",
    turns: [{ answer: [{ hold: "working" }, { text: "First." }] }, { answer: [{ text: "Second." }] }],
  });
  const first = project.start(["the long task"], env);
  await server.waitForHold("working");
  const [line = ""] = (await project.run(["--list"], env)).stdout.split("\n");
  expect(line).toContain("(open in another window or terminal)");
  const id = line.split(" ")[0] ?? "";
  const refused = await project.run(["--resume", id, "me too"], env);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("--take-over");
  const left = await project.converse(["--continue"], env, [
    ["Take over this session? [y]es or [n]o:", "n\r"],
  ]);
  expect(left.code).toBe(1);
  const taken = await project.converse(["--continue"], env, [
    ["Take over this session?", "y\r"],
    ["Second.", ""],
    ["> ", "/exit\r"],
  ]);
  expect(taken.code, taken.stdout).toBe(0);
  server.release("working");
  expect(await first.ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("took over this session"),
  });
  expect((await project.run(["--list"], env)).stdout).not.toContain("open in another window");
});

it("--json prints events and nothing else on standard output", async () => {
  use(nekoScript());
  const { code, stdout } = await project.run(["--json", "--approve", "read,edit", WISH], env);
  expect(code).toBe(0);
  const events = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string });
  expect(events.map((event) => event.type)).toContain("message");
  expect(await project.read("neko.txt")).toBe(AFTER);
});

it("reads the task from standard input", async () => {
  use(nekoScript());
  const { code } = await project.run(["--approve", "read,edit", "-"], env, WISH);
  expect(code).toBe(0);
  expect(await project.read("neko.txt")).toBe(AFTER);
});

describe("a question", () => {
  const ask: Script = {
    turns: [
      {
        match: { request: 1 },
        answer: [
          { text: "\u001b]0;owned\u0007 Hm." },
          { tool: "ask_followup_question", params: { question: "どちら？", options: ["犬", "猫"] } },
        ],
      },
      { answer: [{ tool: "attempt_completion", params: { result: "Done.", command: "ls -l" } }] },
    ],
  };

  it("lists its answers, takes the number of one, and shows what is proposed", async () => {
    use(ask);
    const { code, stdout } = await project.converse([], env, [
      ["> ", "ask me\r"],
      ["2. 猫\r\n", "2\r"],
      ["$ ls -l", "/exit\r"],
    ]);
    expect(code).toBe(0);
    expect(JSON.stringify(server.chat(2).messages)).toContain("<answer>\\n猫\\n</answer>");
    // Nothing that the model writes steers the terminal.
    expect(stdout).not.toContain("\u001b]");
    expect(stdout).toContain("‹U+001B›]0;owned‹U+0007› Hm.");
  });
});

it("plan mode writes nothing", async () => {
  use(planScript());
  const { code, stdout } = await project.run(["--mode", "plan", "--approve", "all", "Write a greeting"], env);
  expect(code).toBe(0);
  expect(stdout).toContain("Write `greeting.txt`");
  await expect(stat(path.join(project.folder, "greeting.txt"))).rejects.toThrow("ENOENT");
});

it("runs a command with its output shown", async () => {
  use(commandScript({ command: "echo neko-$((20 + 22)); exit 3" }));
  const { code, stderr } = await project.run(["--approve", "command", "run it"], env);
  expect(code).toBe(0);
  expect(stderr).toContain("neko-42");
  expect(JSON.stringify(server.chat(2).messages)).toContain("Exit code 3");
});

it("Ctrl-C in the middle of a stream: exit 130, the request is over", async () => {
  use(stopScript());
  const { signals, ended } = project.begin(["talk"], env);
  await server.waitForHold("middle");
  signals.emit("SIGINT");
  expect((await ended).code).toBe(130);
  await server.requests[0]?.closed;
  expect(server.requests[0]?.abortedByClient).toBe(true);
});

it.each<[string, (child: ChildProcess) => void]>([
  ["a terminal that is closed", (child) => void child.kill("SIGHUP")],
  ["a reader that has had enough", (child) => void child.stdout?.destroy()],
])("%s ends what runs: nothing is left behind", async (_, end) => {
  use(commandScript({ command: "echo it is $$; while :; do echo on; sleep 0.1; done" }));
  const { child, ended } = project.start(["--json", "--approve", "all", "run it"], env);
  let said = "";
  const pid = await new Promise<number>((resolve) => {
    child.stdout?.on("data", (data: Buffer) => {
      said += data.toString();
      const [, found] = /it is (\d+)\D/.exec(said) ?? [];
      if (found !== undefined) resolve(Number(found));
    });
  });
  expect(isAlive(pid)).toBe(true);
  end(child);
  expect(await ended).toMatchObject({ code: 130, stderr: "" });
  await expect.poll(() => isAlive(pid)).toBe(false);
});

it("says nothing when its reader has had enough of a list", async () => {
  const { child, ended } = project.start(["--help"]);
  child.stdout?.destroy();
  expect(await ended).toMatchObject({ stderr: "", code: 0 });
});

it.each([
  ["--max-requests", "1"],
  ["--timeout", "0.5"],
  // Before the first request is on its way.
  ["--timeout", "0.001"],
])("%s %s ends it with exit 3", async (option, value) => {
  use(option === "--timeout" ? stopScript() : todoScript());
  const { code } = await project.run([option, value, "--approve", "all", "Todo"], env);
  expect(code).toBe(3);
});

it("--max-cost ends it with exit 3, and on a terminal asks whether to go on", async () => {
  const cat: ScriptPart[] = [{ tool: "read_file", params: { path: "neko.txt" } }];
  const answers: ScriptPart[][] = [cat, cat, cat, [{ text: "That is all." }]];
  const turns = answers.map((answer, i) => ({
    match: { request: i + 1 },
    times: true as const,
    answer,
    usage: { cost: 0.3 },
  }));
  use({ turns });
  const options = ["--max-cost", "0.5"];
  const { code, stderr, stdout } = await project.run([...options, "Read"], env);
  expect(code).toBe(3);
  expect(stdout + stderr).toContain("This task has cost 0.60 USD");
  expect(server.requests).toHaveLength(2);
  const talk = await project.converse(options, env, [
    ["> ", "Read\r"],
    ["This task has cost 0.60 USD. Continue?", ""],
    ["> ", "yes\r"],
    ["That is all.", ""],
    ["> ", "\u0004"],
  ]);
  expect(talk.code).toBe(0);
  expect(server.requests).toHaveLength(6);
});

describe("bad input", () => {
  it.each([
    [["--nonsense"], "--nonsense"],
    [["--approve", "everything", "task"], "everything"],
    [["--mode", "chaos", "task"], "chaos"],
    [["--max-requests", "many", "task"], "many"],
    [["one", "two"], "TASK"],
    [[], "TASK"],
    [["--continue", "task"], "no session"],
    [["--cwd", "nowhere", "task"], "--cwd is not a folder"],
    [["--cwd", "neko.txt", "task"], "--cwd is not a folder"],
  ])("%j: exit 2, and what is wrong", async (args, word) => {
    const { code, stderr } = await project.run(args, env);
    expect(code).toBe(2);
    expect(stderr).toContain(word);
  });

  it.each([
    ["no endpoint", { NEKODE_BASE_URL: "" }, "Set it with --base-url or NEKODE_BASE_URL"],
    ["no model", { NEKODE_MODEL: "" }, "Set it with --model or NEKODE_MODEL"],
    [
      "a key with a letter of another kind",
      { NEKODE_API_KEY: "sk-鍵" },
      "The key is read from NEKODE_API_KEY, or from the variable that the connection names in keyEnv.",
    ],
    ["an address without its beginning", { NEKODE_BASE_URL: "localhost:9/v1" }, "must begin with http://"],
    ["an endpoint that is down", { NEKODE_BASE_URL: "http://127.0.0.1:9/v1" }, "Could not connect to"],
  ])("%s: exit 1, and what to do", async (_name, change, words) => {
    const { code, stderr } = await project.run(["hello"], { ...env, ...change });
    expect(code).toBe(1);
    expect(stderr).toContain(words);
  });

  it("a wrong key is said and never printed, also where the endpoint repeats it", async () => {
    const message = `Incorrect API key provided: ${env.NEKODE_API_KEY}.`;
    use({ turns: [{ fault: { kind: "status", status: 401, times: 2, message }, answer: [] }] });
    const { code, stderr, stdout } = await project.run(["hello"], env);
    expect(code).toBe(1);
    expect(stderr).toContain("rejected the API key");
    expect(stderr).toContain("Incorrect API key provided: ***.");
    const json = await project.run(["--json", "hello"], env);
    expect(json.stdout).toContain("Incorrect API key provided: ***.");
    expect(stderr + stdout + json.stderr + json.stdout).not.toContain("sk-secret");
  });
});
