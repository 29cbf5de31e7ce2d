/** The loop: modes, Stop, limits, mistakes, several calls, and what each failure of an endpoint becomes. */
import { afterEach, describe, expect, it } from "vitest";
import { todoScript } from "../../../model-server/scripts/todo.ts";
import type { Script, ScriptPart } from "../../../model-server/server.ts";
import { type Agent, type AgentOptions, startAgent } from "../../../support/agent.ts";

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

async function run(options: AgentOptions, text = "do it"): Promise<string | undefined> {
  agent = await startAgent(options);
  await agent.view.send(text);
  return (await agent.view.active.idle)?.type;
}

const DONE: ScriptPart = { tool: "attempt_completion", params: { result: "Done." } };
const write = (path: string, content: string): ScriptPart => ({
  tool: "write_to_file",
  params: { path, content },
});
const ALL = { read: true, edit: true, commandAll: true };
const lastRequest = () => JSON.stringify(agent.server.requests.at(-1)?.body);

describe.each(["xml", "native"] as const)("under %s", (protocol) => {
  it("makes the Todo application: three files, in order", async () => {
    const files = { "index.html": "<!DOCTYPE html>\n<html>\n</html>\n" };
    const end = await run(
      { script: todoScript(), protocol, approval: ALL, files },
      "シンプルなTodoアプリを作成して",
    );
    expect(end).toBe("completed");
    expect(agent.calls().map((call) => `${call.tool} ${call.subject}`)).toEqual([
      "read_file index.html",
      "write_to_file index.html",
      "write_to_file style.css",
      "write_to_file script.js",
      "attempt_completion ",
    ]);
    expect(agent.files.get("/project/script.js")).toContain("addEventListener");
  });

  it("refuses a write in plan mode, shows the plan, and goes on when the user switches to act", async () => {
    agent = await startAgent({
      protocol,
      approval: ALL,
      script: {
        turns: [
          { match: { request: 1 }, answer: [write("a.txt", "too early\n")] },
          {
            match: { request: 2 },
            answer: [{ tool: "plan_mode_respond", params: { response: "Write a.txt." } }],
          },
          { match: { request: 3, mode: "act" }, answer: [write("a.txt", "now\n")] },
          { match: { request: 4 }, answer: [DONE] },
        ],
      },
    });
    await agent.view.active.setMode("plan");
    await agent.view.send("plan it");
    expect((await agent.view.active.idle)?.type).toBe("planned");
    expect(agent.files.size).toBe(0);
    expect(lastRequest()).toContain("cannot be used in PLAN MODE");
    expect(agent.calls()[0]?.shown?.reason).toEqual({ code: "plan-mode", values: [] });
    await agent.view.active.startWaitingPlan();
    expect((await agent.view.active.idle)?.type).toBe("completed");
    expect(agent.files.get("/project/a.txt")).toBe("now\n");
  });

  it("plan mode holds for a call that was already waiting when the user switched", async () => {
    agent = await startAgent({
      protocol,
      script: {
        turns: [
          { match: { request: 1 }, answer: [write("a.txt", "x\n")] },
          { answer: [{ text: "All right." }] },
        ],
      },
    });
    const asked = agent.asked();
    await agent.view.send("write");
    const callId = await asked;
    await agent.view.active.setMode("plan");
    agent.view.active.approve(callId);
    await agent.view.active.idle;
    expect(agent.files.size).toBe(0);
  });

  it("the first rejection ends the rest of the message", async () => {
    agent = await startAgent({
      protocol,
      script: {
        turns: [
          { match: { request: 1 }, answer: [write("a.txt", "a\n"), write("b.txt", "b\n")] },
          { answer: [DONE] },
        ],
      },
    });
    const asked = agent.asked();
    await agent.view.send("two files");
    agent.view.active.reject(await asked);
    await agent.view.active.idle;
    expect(agent.calls().map((call) => call.state)).toEqual(["rejected", "not-run", "done"]);
    expect(agent.files.size).toBe(0);
  });

  it.each<[string, ScriptPart, string]>([
    [
      "an edit that fits no place",
      {
        tool: "replace_in_file",
        params: { path: "a.txt", diff: "------- SEARCH\nno\n=======\nyes\n+++++++ REPLACE" },
      },
      "is not in the file",
    ],
    ["a file that does not exist", { tool: "read_file", params: { path: "none.txt" } }, "no file"],
    ["a tool that does not exist", { nativeTool: { name: "read_fil", params: {} } }, "no tool named"],
  ])("does not take a task for completed after %s in the same message", async (_, call, why) => {
    if ("nativeTool" in call && protocol === "xml") return;
    const script: Script = { turns: [{ answer: [call, DONE] }, { answer: [DONE] }] };
    expect(await run({ script, protocol, approval: ALL, files: { "a.txt": "a\n" } })).toBe("completed");
    expect(agent.calls().map(({ state }) => state)).toEqual(["failed", "not-run", "done"]);
    expect(lastRequest()).toContain(why);
    expect(lastRequest()).toContain("another call in the same message failed");
  });

  it("does not take a task for completed after a command of the same message that ended with an exit code", async () => {
    const check: ScriptPart = {
      tool: "execute_command",
      params: { command: "npm test", requires_approval: false },
    };
    const script: Script = { turns: [{ answer: [check, DONE] }, { answer: [check, DONE] }] };
    const exitCodes = [3, 0];
    const end = await run({ script, protocol, approval: ALL, run: async () => exitCodes.shift() ?? 0 });
    expect(end).toBe("completed");
    expect(agent.calls().map(({ state }) => state)).toEqual(["done", "not-run", "done", "done"]);
  });

  it("takes a task for completed after calls of the same message that succeed", async () => {
    const script: Script = { turns: [{ answer: [write("a.txt", "a\n"), DONE] }] };
    expect(await run({ script, protocol, approval: ALL })).toBe("completed");
    expect(agent.server.requests).toHaveLength(1);
  });

  it("answers a question with the user's next message", async () => {
    const script: Script = {
      turns: [
        {
          match: { request: 1 },
          answer: [
            { tool: "ask_followup_question", params: { question: "Which?", options: ["Red", "Blue"] } },
          ],
        },
        { answer: [DONE] },
      ],
    };
    expect(await run({ script, protocol })).toBe("asked");
    expect(agent.calls()[0]).toMatchObject({ text: "Which?", options: ["Red", "Blue"], state: "done" });
    await agent.view.send("Blue");
    expect((await agent.view.active.idle)?.type).toBe("completed");
    expect(lastRequest()).toContain("<answer>\\nBlue\\n</answer>");
  });

  it.each([
    ["elements", "\n<option>Red, dark</option>\n<option>Blue</option>\n", ["Red, dark", "Blue"], "asked"],
    ["lines", "- Red\n- Blue", ["Red", "Blue"], "asked"],
    ["lines of markup", "<b>Red</b>\n<b>Blue</b>", ["<b>Red</b>", "<b>Blue</b>"], "asked"],
    ["JSON that is cut", '["Red", "Bl', undefined, "completed"],
  ])("shows the options of a question that are written as %s", async (_, options, shown, end) => {
    const script: Script = {
      turns: [
        {
          match: { request: 1 },
          answer: [{ tool: "ask_followup_question", params: { question: "Which?", options } }],
        },
        { answer: [DONE] },
      ],
    };
    expect(await run({ script, protocol })).toBe(end);
    expect(agent.calls()[0]?.options).toEqual(shown);
  });

  it("stops in the middle of a stream: idle, no request after, and the next message goes through", async () => {
    agent = await startAgent({
      protocol,
      script: {
        chunkSize: 5,
        turns: [
          {
            match: { request: 1 },
            answer: [{ text: "A long answer " }, { hold: "middle" }, write("a.txt", "never\n")],
          },
          { answer: [{ text: "Back again." }] },
        ],
      },
    });
    const heard = agent.until((event) => event.type === "delta" && event.delta.includes("wer"));
    await agent.view.send("talk");
    await heard;
    await agent.view.stop();
    expect(agent.view.active.chatView.status).toBe("idle");
    expect(agent.server.requests).toHaveLength(1);
    await agent.server.requests[0]?.closed;
    expect(agent.server.requests[0]?.abortedByClient).toBe(true);
    expect(agent.files.size).toBe(0);
    await agent.view.send("again");
    expect((await agent.view.active.idle)?.type).toBe("replied");
    expect(agent.rows().at(-1)).toMatchObject({ kind: "text", text: "Back again." });
  });

  it("a call that is cut off never runs", async () => {
    const script: Script = {
      turns: [
        {
          match: { request: 1 },
          finishReason: "length",
          answer: [{ xml: "<write_to_file>\n<path>a.txt</path>\n<content>half" }],
        },
        { answer: [DONE] },
      ],
    };
    await run({ script, protocol: "xml", approval: ALL });
    expect(agent.files.size).toBe(0);
    expect(lastRequest()).toContain("cut off before its end");
  });

  it("a call with a parameter that its tool does not have says which", async () => {
    const xml = "<read_file>\n<path>a.txt</path>\n<description>the notes</description>\n</read_file>";
    await run({
      script: { turns: [{ answer: [{ xml }] }, { answer: [DONE] }] },
      protocol: "xml",
      approval: ALL,
    });
    expect(lastRequest()).toContain("description is not a parameter of this tool");
    expect(lastRequest()).toContain("Required: path. Optional: start_line, end_line.");
  });

  it("the same mistake three times in a row asks the user", async () => {
    const turns = [
      { times: true as const, answer: [{ tool: "read_file", params: { path: "missing.txt" } }] },
    ];
    expect(await run({ script: { turns }, protocol, files: { "near.txt": "x" } })).toBe("limit");
    expect(agent.server.requests).toHaveLength(3);
    expect(agent.rows().at(-1)).toMatchObject({ kind: "notice", code: "mistake-limit", values: ["3"] });
    expect(lastRequest()).toContain(
      "There is no file or folder at missing.txt. In the same folder: near.txt.",
    );
  });

  it("ends at the cap on requests, and goes on when the user says so", async () => {
    let count = 0;
    agent = await startAgent({
      protocol,
      approval: { ...ALL, maxRequests: 2 },
      script: {
        turns: [1, 2, 3, 4].map((request) => ({
          match: { request },
          answer: [write(`${++count}.txt`, "x\n")],
        })),
      },
    });
    await agent.view.send("go");
    expect((await agent.view.active.idle)?.type).toBe("limit");
    expect(agent.server.requests).toHaveLength(2);
    await agent.view.active.retry();
    await agent.view.active.idle;
    expect(agent.server.requests).toHaveLength(4);
  });

  it("names the nearest tool and the missing parameter", async () => {
    const script: Script = {
      turns: [
        {
          match: { request: 1 },
          answer:
            protocol === "xml"
              ? [{ xml: "<read_fil>\n<path>a</path>\n</read_fil>" }]
              : [{ nativeTool: { name: "read_fil", params: { path: "a" } } }],
        },
        {
          match: { request: 2 },
          answer:
            protocol === "xml"
              ? [{ xml: "<read_file>\n</read_file>" }]
              : [{ nativeTool: { name: "read_file", params: {} } }],
        },
        { answer: [DONE] },
      ],
    };
    await run({ script, protocol });
    expect(lastRequest()).toContain("Did you mean read_file");
    expect(lastRequest()).toMatch(/read_file: [^"]*path/);
  });

  it("runs a command with its output and exit code", async () => {
    const script: Script = {
      turns: [
        {
          match: { request: 1 },
          answer: [{ tool: "execute_command", params: { command: "npm test", requires_approval: false } }],
        },
        { answer: [DONE] },
      ],
    };
    agent = await startAgent({
      script,
      protocol,
      run: async (_command, _signal, onOutput) => {
        onOutput("\u001b[32m3 passed\u001b[0m\r\n");
        return 1;
      },
    });
    const asked = agent.asked();
    await agent.view.send("test");
    const callId = await asked;
    expect(agent.commands).toEqual([]);
    expect(agent.calls()[0]?.approval).toMatchObject({ command: "npm test", cwd: "/project" });
    agent.view.active.approve(callId);
    await agent.view.active.idle;
    expect(agent.commands).toEqual(["npm test"]);
    expect(lastRequest()).toContain("Exit code 1 after 0.0 s.\\nOutput:\\n3 passed");
  });
});

describe("when the endpoint fails", () => {
  const reply = { answer: [{ text: "Fine." }] };
  const error = () => agent.rows().findLast((row) => row.kind === "error");

  it.each([
    [{ kind: "status", status: 401 }, "bad-key"],
    [{ kind: "status", status: 404, message: "The model `scripted` does not exist" }, "unknown-model"],
    [{ kind: "contextLength" }, "context-length"],
    [{ kind: "body", status: 200 }, "web-page"],
    [{ kind: "body" }, "server-error"],
    [{ kind: "malformed" }, "bad-response"],
    [{ kind: "streamError" }, "server-error"],
    [{ kind: "empty" }, "empty-response"],
    [{ kind: "cut" }, "connection-lost"],
  ] as const)("%j becomes %s, and retry goes on", async (fault, code) => {
    const script: Script = {
      turns: [
        {
          fault: { ...fault, times: 1 },
          answer: [{ text: "Fine, and long enough to be cut in the middle. 猫" }],
        },
      ],
    };
    agent = await startAgent({ script } as AgentOptions);
    // A small window has the short instructions already, and no shorter ones to try.
    agent.settings.provider.contextWindow = 16_000;
    await agent.view.send("do it");
    const end = (await agent.view.active.idle)?.type;
    if (end === "replied") {
      // Transient: tried again without anybody's help, and said meanwhile.
      expect(agent.events).toContainEqual(expect.objectContaining({ type: "status", status: "retrying" }));
      expect(["empty-response", "server-error"]).toContain(code);
      return;
    }
    expect(end).toBe("failed");
    expect(error()).toMatchObject({ error: { code } });
    await agent.view.active.retry();
    expect((await agent.view.active.idle)?.type).toBe("replied");
  });

  it.each(["xml", "native"] as const)(
    "an answer of reasoning alone under %s is no answer, and retry goes on",
    async (protocol) => {
      const turns = [{ times: 1, answer: [{ reasoning: "The user wants it done." }] }, reply];
      expect(await run({ protocol, script: { turns } })).toBe("failed");
      expect(error()).toMatchObject({ error: { code: "empty-response" } });
      await agent.view.active.retry();
      expect((await agent.view.active.idle)?.type).toBe("replied");
    },
  );

  it("waits as long as Retry-After says, then tries again", async () => {
    const fault = { kind: "status", status: 429, retryAfter: 0, times: 2 } as const;
    expect(await run({ script: { turns: [{ fault, ...reply }] } })).toBe("replied");
    expect(agent.server.requests).toHaveLength(3);
    expect(
      agent.events.filter((event) => event.type === "status" && event.status === "retrying"),
    ).toHaveLength(2);
  });

  it("a wait can be stopped at once", async () => {
    const fault = { kind: "status", status: 429, retryAfter: 600 } as const;
    agent = await startAgent({ script: { turns: [{ fault, ...reply }] } });
    const waiting = agent.until((event) => event.type === "status" && event.status === "retrying");
    await agent.view.send("hello");
    await waiting;
    await agent.view.stop();
    expect(agent.server.requests).toHaveLength(1);
    expect(agent.view.active.chatView.status).toBe("idle");
  });

  it("falls back to the XML protocol when the model has no native calling", async () => {
    const turns = [
      {
        match: { protocol: "native" as const },
        fault: { kind: "status" as const, status: 400, message: "scripted does not support tools" },
        answer: [{ text: "" }],
      },
      { match: { protocol: "xml" as const }, answer: [DONE] },
    ];
    expect(await run({ script: { turns }, protocol: "auto" })).toBe("completed");
  });

  it("speaks XML from the second request on with a model that answers in XML", async () => {
    const xml = "<read_file>\n<path>a.txt</path>\n</read_file>";
    const turns = [
      { match: { protocol: "native" as const, request: 1 }, answer: [{ xml }] },
      { match: { protocol: "xml" as const, request: 2 }, answer: [DONE] },
    ];
    expect(await run({ script: { turns }, protocol: "auto", files: { "a.txt": "text" } })).toBe("completed");
    expect(lastRequest()).toContain("[read_file for 'a.txt'] Result:");
  });

  it("knows the window that the endpoint lists for its model", async () => {
    const models = [
      { id: "other", context_length: 4096 },
      { id: "scripted", context_length: 32_768 },
    ];
    expect(await run({ script: { models, turns: [reply] } })).toBe("replied");
    expect(agent.view.active.chatView.totals.contextWindow).toBe(32_768);
  });

  it("says that no endpoint is set up, and takes the message all the same", async () => {
    expect(await run({ script: { turns: [reply] }, settings: { provider: { baseUrl: "" } } })).toBe("failed");
    expect(error()).toMatchObject({ error: { code: "no-endpoint" } });
    expect(agent.rows()[0]).toMatchObject({ kind: "user", text: "do it" });
  });
});
