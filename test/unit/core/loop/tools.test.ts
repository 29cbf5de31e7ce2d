/** Tools through the whole loop: what asks and how, what a yes leads to, and that an endpoint takes what follows. */
import { afterEach, describe, expect, it } from "vitest";
import type { Script, ScriptPart } from "../../../model-server/server.ts";
import { type Agent, type AgentOptions, startAgent } from "../../../support/agent.ts";

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const DONE: ScriptPart = { tool: "attempt_completion", params: { result: "Done." } };
const turns = (...answers: ScriptPart[][]): Script => ({
  scope: "server",
  turns: [
    ...answers.map((answer) => ({ match: { firstUser: "begin the work" }, times: 1, answer })),
    { answer: [DONE] },
  ],
});

/** Starts and resolves with the approval that is asked for. */
async function asked(options: AgentOptions) {
  agent = await startAgent(options);
  const waiting = agent.asked();
  await agent.view.send("begin the work");
  const id = await waiting;
  const row = agent.calls().find((call) => call.id === id);
  return { id, approval: row?.approval };
}
const sent = (request: number) => JSON.stringify(agent.server.chat(request).messages);
/** As long as tasks hand over to others. */
async function finished(): Promise<string | undefined> {
  let end = (await agent.view.active.idle)?.type;
  while (end === "handed-over") end = (await agent.view.active.idle)?.type;
  return end;
}

describe.each(["xml", "native"] as const)("under %s", (protocol) => {
  const context = "# Next\n\nSee @/a.txt first; then @/.env, @https://example.com and @terminal.";
  const newTask: ScriptPart = {
    tool: "new_task",
    params: { context, task_progress: "- [x] Plan\n- [ ] Build" },
  };
  const files = { ".env": "not to be read\n", "a.txt": "one\ntwo\n", "b.txt": "vanishing words\n" };

  it("new_task: a yes begins a session with the very context and the files that it names", async () => {
    const { id, approval } = await asked({ script: turns([newTask]), protocol, files });
    expect(approval).toMatchObject({ text: context, access: "talk" });
    const before = agent.view.active.chatView.session?.id;
    agent.view.active.approve(id);
    expect(await finished()).toBe("completed");
    expect(agent.view.active.chatView.session?.id).not.toBe(before);
    expect(agent.rows()[0]).toMatchObject({ kind: "user", text: context });
    expect(agent.server.requests).toHaveLength(2);
    expect(sent(2)).toContain('<file_content path=\\"a.txt\\">\\none\\ntwo\\n');
    // What the user did not write reaches nothing that would ask, and nothing beyond the project's files.
    expect(sent(2)).not.toContain("not to be read");
    expect(sent(2)).toContain("@https://example.com and @terminal.");
    expect(sent(2)).not.toMatch(/url_content|terminal_output/);
    expect(sent(2)).not.toContain("begin the work");
    expect((await agent.project.history()).map(({ title }) => title)).toContain("begin the work");
  });

  it("new_task: where reading asks, the files that the context names stay names", async () => {
    const { id } = await asked({ script: turns([newTask]), protocol, files, approval: { read: false } });
    agent.view.active.approve(id);
    await finished();
    expect(sent(2)).toContain("See @/a.txt first");
    expect(sent(2)).not.toContain("file_content");
  });

  it.each(["plan", "act"] as const)("new_task: the new task has the todo list and %s mode", async (mode) => {
    const settings = { provider: { model: "m", planModel: "p" } };
    const rest = { times: true as const, answer: [{ text: "Begun." }] };
    const script: Script = { scope: "server", turns: [{ times: 1, answer: [newTask] }, rest] };
    agent = await startAgent({ script, protocol, files, approval: { read: true } });
    Object.assign(agent.settings.provider, settings.provider);
    await agent.view.active.setMode(mode);
    const waiting = agent.asked();
    await agent.view.send("begin the work");
    agent.view.active.approve(await waiting);
    await finished();
    expect(sent(2)).toContain("# TODO LIST (1 of 2 done)\\n- [x] Plan\\n- [ ] Build");
    expect(sent(2)).toContain(`# Current Mode\\n${mode.toUpperCase()} MODE`);
    await agent.restart();
    expect(agent.view.active.chatView.todo).toBe("- [x] Plan\n- [ ] Build");
    expect(agent.view.active.chatView.mode).toBe(mode);
  });

  it("new_task: a no goes on with the conversation", async () => {
    const { id } = await asked({ script: turns([newTask]), protocol });
    agent.view.active.reject(id, "not yet");
    expect(await finished()).toBe("completed");
    expect(sent(2)).toContain("not yet");
    expect(sent(2)).toContain("begin the work");
  });

  it("new_task and condense ask, whatever is allowed", async () => {
    const approval = { read: true, edit: true, commandAll: true, web: true, mcp: true };
    const script = turns([{ tool: "condense", params: { context: "what was" } }]);
    const { id, approval: shown } = await asked({ script, protocol, approval });
    expect(shown).toMatchObject({ text: "what was" });
    agent.view.active.reject(id);
    expect(await finished()).toBe("completed");
  });

  it("condense: a yes puts the summary in place of what was before", async () => {
    const reads = Array.from({ length: 6 }, (_, n): ScriptPart[] => [
      { tool: "read_file", params: { path: `f${n}.txt` } },
    ]);
    const long = Object.fromEntries(
      reads.map((_, n) => [`f${n}.txt`, `file ${n}\n${"words and words\n".repeat(400)}`]),
    );
    const script = turns(...reads, [{ tool: "condense", params: { context: "THE SUMMARY" } }]);
    const { id } = await asked({ script, protocol, files: long });
    agent.view.active.approve(id);
    expect(await finished()).toBe("completed");
    const last = agent.server.requests.length;
    expect(sent(last)).toContain("<summary>\\nTHE SUMMARY\\n</summary>");
    expect(sent(last)).not.toContain("file 0\\n");
    expect(sent(last)).toContain("begin the work");
  });

  it("apply_patch: one approval with every file; a yes changes them all, a no none", async () => {
    const input =
      "*** Begin Patch\n*** Update File: a.txt\n one\n-two\n+2\n*** Delete File: b.txt\n*** End Patch";
    for (const yes of [false, true]) {
      const script = turns([{ tool: "apply_patch", params: { input } }]);
      const { id, approval } = await asked({ script, protocol, files });
      expect(approval?.files).toEqual([
        {
          path: "a.txt",
          kind: "update",
          added: 1,
          removed: 1,
          at: 0,
          hunks: { shown: [{ line: 2, removed: ["two"], added: ["2"] }], more: 0 },
        },
        { path: "b.txt", kind: "delete", added: 0, removed: 1, at: 2 },
      ]);
      expect(agent.shown.get("/project/a.txt")).toBe("one\n2\n");
      if (yes) agent.view.active.approve(id);
      else agent.view.active.reject(id);
      expect(await finished()).toBe("completed");
      expect(agent.files.get("/project/a.txt")).toBe(yes ? "one\n2\n" : files["a.txt"]);
      expect(agent.files.has("/project/b.txt")).toBe(!yes);
      expect(agent.calls()[0]).toMatchObject({ subject: "a.txt, b.txt" });
      if (!yes) await agent.close();
    }
  });

  it("delete_file: what was there stays with the session, and is neither shown nor sent", async () => {
    const script = turns([{ tool: "delete_file", params: { path: "b.txt" } }]);
    const { id, approval } = await asked({ script, protocol, files });
    expect(approval).toMatchObject({ path: "b.txt", removed: 1 });
    agent.view.active.approve(id);
    await finished();
    expect(agent.files.has("/project/b.txt")).toBe(false);
    expect(sent(2)).not.toContain("vanishing words");
    const shown = agent.events.filter((event) => event.type === "message");
    expect(JSON.stringify(shown)).not.toContain("vanishing words");
    const stored = [...agent.storage.files.values()]
      .map((bytes) => new TextDecoder().decode(bytes))
      .join("\n");
    expect(stored).toContain("vanishing words");
  });

  it("protected files ask even where edits are allowed: deletion, patches and rules", async () => {
    const calls: ScriptPart[] = [
      { tool: "delete_file", params: { path: ".git/config" } },
      {
        tool: "apply_patch",
        params: { input: "*** Begin Patch\n*** Add File: .vscode/x.json\n+{}\n*** End Patch" },
      },
      { tool: "new_rule", params: { path: "tests", content: "Run them." } },
    ];
    for (const [at, call] of calls.entries()) {
      const given = { ".git/config": "[core]\n" };
      const { id } = await asked({ script: turns([call]), protocol, files: given, approval: { edit: true } });
      expect(agent.files.size).toBe(1);
      agent.view.active.reject(id);
      await finished();
      expect(agent.files.size).toBe(1);
      if (at < calls.length - 1) await agent.close();
    }
  });

  it("a new file that may lack code asks even where edits are allowed, and says so", async () => {
    const content = "start();\n// ... rest of the code ...\nend();\n";
    const write: ScriptPart = { tool: "write_to_file", params: { path: "new.js", content } };
    for (const edit of [true, false]) {
      const { id, approval } = await asked({ script: turns([write]), protocol, approval: { edit } });
      expect(approval?.reason).toEqual({
        code: "may-omit-code",
        values: ["2", "// ... rest of the code ..."],
      });
      expect(agent.files.size).toBe(0);
      agent.view.active.approve(id);
      await finished();
      expect(agent.files.get("/project/new.js")).toBe(content);
      if (edit) await agent.close();
    }
  });

  it("plan mode refuses all that changes something", async () => {
    const calls: ScriptPart[] = [
      { tool: "apply_patch", params: { input: "*** Begin Patch\n*** Delete File: a.txt\n*** End Patch" } },
      { tool: "delete_file", params: { path: "a.txt" } },
      { tool: "new_rule", params: { path: "x", content: "y" } },
    ];
    agent = await startAgent({
      protocol,
      files,
      approval: { edit: true },
      script: {
        turns: [
          ...calls.map((call, index) => ({ match: { request: index + 1 }, answer: [call] })),
          { answer: [{ tool: "plan_mode_respond", params: { response: "A plan." } }] },
        ],
      },
    });
    await agent.view.active.setMode("plan");
    await agent.view.send("plan");
    expect(await finished()).toBe("planned");
    expect(agent.files.get("/project/a.txt")).toBe(files["a.txt"]);
    expect(agent.calls().map(({ state }) => state)).toEqual(["failed", "failed", "failed", "done"]);
  });

  it("an image reaches the model as an image, where endpoints take one", async () => {
    const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    agent = await startAgent({
      script: turns([{ tool: "read_file", params: { path: "a.png" } }]),
      protocol,
      files: { "a.png": "?" },
    });
    agent.host.files.readBytes = async () => png;
    await agent.view.send("begin the work: look");
    expect(await finished()).toBe("completed");
    expect(sent(2)).toContain(`data:image/png;base64,${Buffer.from(png).toString("base64")}`);
    expect(sent(2)).toContain("a.png is a PNG image");
  });
});

describe("a model that takes no images", () => {
  const refusals: [status: number, message: string, requests: number][] = [
    [400, "This model does not support image input.", 4],
    [404, "No endpoints found that support image input", 4],
    [500, "image input is not supported - hint: you may need to provide the mmproj", 4],
    [400, "Failed to decode image: too large", 4],
  ];
  it.each(refusals)("%i %s: the conversation goes on without them", async (status, message, requests) => {
    agent = await startAgent({
      script: {
        scope: "server",
        turns: [
          { times: 1, answer: [{ tool: "read_file", params: { path: "a.png" } }] },
          { match: { anyMessage: "cannot be shown to you." }, times: 1, answer: [{ text: "I go on." }] },
          { match: { anyMessage: "cannot be shown to you." }, answer: [DONE] },
          { times: 9, fault: { kind: "status", status, message }, answer: [DONE] },
        ],
      },
      files: { "a.png": "?" },
    });
    agent.settings.provider.model = `blind-${status}-${message.length}`;
    agent.host.files.readBytes = async () => new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    await agent.view.send("look");
    expect(await finished()).toBe("replied");
    await agent.view.send("and now?");
    expect(await finished()).toBe("completed");
    expect(agent.server.requests).toHaveLength(requests);
  });
});

describe("always allowing a command", () => {
  const call = (command: string): ScriptPart[] => [
    { tool: "execute_command", params: { command, requires_approval: false } },
  ];

  async function start(script: Script, more: Partial<AgentOptions> = {}) {
    const first = await asked({ script, ...more });
    return first;
  }

  it("stores the words that were shown; from then on they run without asking, and others ask", async () => {
    const { id, approval } = await start(turns(call("npm test"), call("npm test"), call("npm publish")), {
      allowCommand: (prefix) => void agent.settings.commands.allow.push(prefix),
    });
    expect(approval).toMatchObject({ command: "npm test", always: "npm test" });
    agent.view.active.approve(id, undefined, { allow: "always" });
    const next = await agent.asked();
    expect(agent.commands).toEqual(["npm test", "npm test"]);
    expect(agent.settings.commands.allow.filter((entry) => entry.startsWith("npm"))).toEqual(["npm test"]);
    expect(next).not.toBe(id);
    agent.view.active.reject(next);
    await finished();
    expect(agent.commands).toEqual(["npm test", "npm test"]);
  });

  it("is on offer only where it would help", async () => {
    const settings = { commands: { allow: ["ls"], deny: ["git push"] } };
    const offered: [command: string, always: string | undefined][] = [
      ["ls", undefined],
      ["npm run build", "npm run build"],
      ["npm test > out.txt", undefined],
    ];
    for (const [command, always] of offered) {
      const files = { "package.json": "{}" };
      const { id, approval } = await start(turns(call(command)), { settings, files });
      expect([command, approval?.always]).toEqual([command, always]);
      agent.view.active.reject(id);
      await finished();
      await agent.close();
    }
    agent = await startAgent({ script: turns() });
  });

  it("stores nothing where it is not on offer, or for another call", async () => {
    const stored: string[] = [];
    const { id, approval } = await start(turns(call("python3 -c 'print(1)'")), {
      allowCommand: (prefix) => void stored.push(prefix),
    });
    expect(approval?.always).toBeUndefined();
    expect(agent.view.active.approve("another", undefined, { allow: "always" })).toBe(false);
    expect(agent.view.active.approve(id, undefined, { allow: "always" })).toBe(true);
    await finished();
    expect(stored).toEqual([]);
  });
});

describe("results", () => {
  it("are bounded, whatever a tool answers", async () => {
    agent = await startAgent({
      script: turns([{ tool: "replace_in_file", params: { path: "a.txt", diff: "x".repeat(20_000) } }]),
      files: { "a.txt": "a\n" },
      settings: { context: { maxResultCharacters: 1_000 } },
    });
    await agent.view.send("begin the work: edit");
    await finished();
    const result = agent.view.active.chatView.settled.find((row) => row.kind === "call");
    expect(result).toMatchObject({ state: "failed" });
    const message = agent.server.chat(2).messages.at(-1);
    expect(JSON.stringify(message).length).toBeLessThan(12_000);
  });
});
