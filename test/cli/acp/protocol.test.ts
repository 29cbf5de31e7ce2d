/** The protocol itself: versions, bad input, authentication, what an editor can choose, and the end of the connection. */
import { methods } from "@agentclientprotocol/sdk";
import { describe, expect, it } from "vitest";
import { isAlive } from "../../support/processes.ts";
import { sampled } from "../../support/random.ts";
import { inStore } from "../store.ts";
import { initialize, raw, request } from "./protocol-place.ts";
import { PATIENT, stage, stageOfEachTest } from "./stage.ts";

stageOfEachTest({ "neko.txt": "cats\n" });

describe("the first message", () => {
  it("of another version is answered with ours, and a sentence in the log", async () => {
    for (const version of [2, 0]) {
      const { messages, stderr } = await raw([initialize(version)]);
      expect(messages).toMatchObject([{ id: 1, result: { protocolVersion: 1 } }]);
      expect(stderr).toBe(
        `nekode: the editor speaks version ${version} of the Agent Client Protocol; Nekode speaks version 1\n`,
      );
    }
  });

  it("must be initialize, with a version that is a number", async () => {
    const { messages } = await raw([
      request(1, "session/new", { cwd: "/", mcpServers: [] }),
      initialize("one"),
    ]);
    expect(messages).toMatchObject([{ error: { code: -32600 } }, { error: { code: -32602 } }]);
  });
});

describe("bad input", () => {
  it("is answered, and the connection goes on", async () => {
    const { messages } = await raw([
      initialize(1),
      "this is { not JSON",
      "[]",
      "42",
      JSON.stringify({ jsonrpc: "2.0", id: 2, method: "no/such", params: {} }),
      request(3, "session/new", { cwd: "relative", mcpServers: [] }),
      request(4, "session/new", { cwd: "/no/such/folder", mcpServers: [] }),
      request(5, "session/new", { mcpServers: "none" }),
      request(6, "session/prompt", { sessionId: "unknown", prompt: [{ type: "text", text: "hello" }] }),
      request(7, "session/list", {}),
    ]);
    const byId = new Map(messages.map((message) => [message.id, message]));
    expect(messages.filter(({ id }) => id === null || id === undefined)).toMatchObject([
      { error: { code: -32700 } },
      { error: { code: -32600 } },
      { error: { code: -32600 } },
    ]);
    expect(byId.get(2)).toMatchObject({ error: { code: -32601 } });
    expect(byId.get(3)).toMatchObject({
      error: { code: -32602, message: 'cwd must be an absolute path, not "relative"' },
    });
    expect(byId.get(4)).toMatchObject({ error: { message: "cwd is not a folder: /no/such/folder" } });
    expect(byId.get(5)).toMatchObject({ error: { code: -32602 } });
    expect(byId.get(6)).toMatchObject({
      error: { code: -32002, message: "session unknown is not open; load it with session/load" },
    });
    expect(byId.get(7)).toMatchObject({ result: { sessions: [] } });
  });
});

describe("authentication", () => {
  const env = { NEKODE_BASE_URL: "https://api.openai.com/v1", NEKODE_MODEL: "some-model" };

  it("says what to set, offers a terminal where the editor has one, and never takes a key", async () => {
    const plain = await stage.editor({ env });
    expect(plain.initialized?.authMethods).toMatchObject([{ id: "environment" }]);
    const editor = await stage.editor({ env, capabilities: { auth: { terminal: true } } });
    expect(editor.initialized?.authMethods).toMatchObject([
      { id: "terminal", type: "terminal", args: ["--setup"] },
      { id: "environment", description: expect.stringContaining("NEKODE_API_KEY") },
    ]);
    const cwd = stage.project.folder;
    const refused = { code: -32000, message: expect.stringContaining("OpenAI requires an API key.") };
    await expect(
      editor.agent.request(methods.agent.session.new, { cwd, mcpServers: [] }),
    ).rejects.toMatchObject(refused);
    await expect(
      editor.agent.request(methods.agent.authenticate, { methodId: "environment" }),
    ).rejects.toMatchObject(refused);
    const setup = await stage.project.run(["acp", "--setup"], env);
    expect(setup).toMatchObject({ code: 1, stdout: expect.stringContaining("NEKODE_API_KEY") });
  });

  it("is not asked for where a key is set, or none is needed", async () => {
    const editor = await stage.editor({ env: { ...env, NEKODE_API_KEY: "sk-test" } });
    expect(editor.initialized?.authMethods).toEqual([]);
    expect(await editor.agent.request(methods.agent.authenticate, { methodId: "environment" })).toEqual({});
    expect(JSON.stringify([editor.initialized, editor.updates])).not.toContain("sk-test");
    const local = { NEKODE_BASE_URL: stage.model.url, NEKODE_MODEL: "scripted" };
    expect((await stage.project.run(["acp", "--setup"], local)).code).toBe(0);
  });

  it("is asked for when the endpoint rejects the key", async () => {
    stage.model.setScript({
      turns: [{ fault: { kind: "status", status: 401, message: "Wrong key" }, answer: [] }],
    });
    const editor = await stage.editor({ env: { NEKODE_API_KEY: "wrong" } });
    const session = await editor.open(stage.project.folder);
    await expect(editor.prompt(session, "hello")).rejects.toMatchObject({
      code: -32000,
      message: expect.stringContaining("rejected the API key"),
    });
  });
});

describe("what an editor can choose", () => {
  it("includes the agents as modes, whose limits hold", async () => {
    stage.model.setScript({
      turns: [
        {
          match: { request: 1 },
          answer: [{ tool: "write_to_file", params: { path: "new.txt", content: "x" } }],
        },
        { match: { request: 2 }, answer: [{ text: "I only read." }] },
      ],
    });
    const editor = await stage.editor({ args: ["--permission", "all"] });
    const { sessionId, modes } = await editor.agent.request(methods.agent.session.new, {
      cwd: stage.project.folder,
      mcpServers: [],
    });
    expect(modes?.availableModes.map(({ id }) => id)).toEqual(["plan", "act", "ask", "review", "test"]);
    const set = (modeId: string) =>
      editor.agent.request(methods.agent.session.setMode, { sessionId, modeId });
    await expect(set("nobody")).rejects.toThrow('there is no agent named "nobody"');
    await set("ask");
    expect(editor.of(sessionId, "current_mode_update").at(-1)?.currentModeId).toBe("ask");
    await editor.prompt(sessionId, "write it");
    expect(await stage.project.read("new.txt").catch(() => "none")).toBe("none");
    await set("plan");
    expect(editor.of(sessionId, "current_mode_update").at(-1)?.currentModeId).toBe("plan");
  });

  it("is the mode, the model and the permission, which apply from then on", async () => {
    stage.model.setScript({
      models: ["scripted", "other"],
      turns: [
        { match: { mode: "plan", model: "other" }, answer: [{ text: "I plan." }] },
        {
          match: { mode: "act", model: "other" },
          answer: [{ tool: "write_to_file", params: { path: "new.txt", content: "new\n" } }],
        },
        { match: { toolResult: "write_to_file" }, answer: [{ text: "Written." }] },
      ],
    });
    const editor = await stage.editor({ args: ["--mode", "plan", "--permission", "ask"], ...PATIENT });
    const created = await editor.agent.request(methods.agent.session.new, {
      cwd: stage.project.folder,
      mcpServers: [],
    });
    const { sessionId } = created;
    expect(created.modes).toMatchObject({ currentModeId: "plan" });
    expect(created.configOptions?.map(({ id, currentValue }) => [id, currentValue])).toEqual([
      ["mode", "plan"],
      ["permission", "ask"],
      ["model", "default/scripted"],
    ]);
    // The endpoint's list comes after the response.
    const listed = await editor.until(() =>
      editor
        .of(sessionId, "config_option_update")
        .find((each) => JSON.stringify(each).includes("default/other")),
    );
    expect(listed.configOptions.map(({ id }) => id)).toEqual(["mode", "permission", "model"]);
    const set = (configId: string, value: string) =>
      editor.agent.request(methods.agent.session.setConfigOption, { sessionId, configId, value });
    await expect(set("model", "no/such")).rejects.toThrow('there is no model "no/such"');
    await expect(set("size", "large")).rejects.toThrow("the options are mode, model and permission");
    await set("model", "default/other");
    expect(await editor.prompt(sessionId, "plan it")).toEqual({ stopReason: "end_turn" });
    await set("permission", "edits");
    await editor.agent.request(methods.agent.session.setMode, { sessionId, modeId: "act" });
    const modes = editor.of(sessionId, "current_mode_update");
    expect(modes.at(-1)?.currentModeId).toBe("act");
    await editor.prompt(sessionId, "do it");
    expect(editor.permissions).toEqual([]);
    expect(await stage.project.read("new.txt")).toBe("new\n");
    expect(editor.transcript(sessionId)).toMatchObject([
      { text: "I plan." },
      {
        fields: {
          kind: "edit",
          content: expect.arrayContaining([expect.objectContaining({ oldText: null })]),
        },
      },
      { text: "Written." },
    ]);
  });

  it("includes the slash commands, and the window's use", async () => {
    stage.model.setScript({
      contextWindow: 50_000,
      turns: [
        { answer: [{ text: "Yes." }], usage: { promptTokens: 1_000, completionTokens: 5, cost: 0.25 } },
      ],
    });
    const editor = await stage.editor({ args: ["--context-window", "50000"] });
    const session = await editor.open(stage.project.folder);
    await editor.prompt(session, "hello");
    const commands = await editor.until(() => editor.of(session, "available_commands_update").at(-1));
    expect(commands.availableCommands).toContainEqual(
      expect.objectContaining({ name: "compact", description: expect.stringMatching(/summary/) }),
    );
    expect(editor.of(session, "usage_update").at(-1)).toMatchObject({
      used: 1_005,
      size: 50_000,
      cost: { amount: 0.25, currency: "USD" },
    });
    expect(editor.of(session, "session_info_update").at(-1)?.title).toBe("hello");
  });
});

describe("the end of the connection", () => {
  it.each(sampled(["the input ends", "SIGTERM"], 2))(
    "when %s: work stops, and everything is on disk",
    async (how) => {
      stage.model.setScript({
        turns: [
          {
            answer: [
              { text: "It runs." },
              {
                tool: "execute_command",
                params: { command: "echo $$ > pid; sleep 600", requires_approval: true },
              },
            ],
          },
        ],
      });
      const editor = await stage.editor({ asProcess: true });
      const session = await editor.open(stage.project.folder);
      const turn = editor.prompt(session, "run it").catch((error: unknown) => error);
      await editor.until(() =>
        editor.transcript(session).some((row) => "fields" in row && row.fields.status === "in_progress"),
      );
      if (how === "SIGTERM") editor.kill("SIGTERM");
      expect(await (how === "SIGTERM" ? editor.ended : editor.close())).toBe(0);
      await turn;
      await inStore(stage.project, async (store) => {
        expect((await store.list()).map(({ id }) => id)).toEqual([session]);
        // It is released, and the next window does not continue it by itself.
        expect([...(await store.elsewhere())]).toEqual([]);
        expect(await store.unfinished()).toEqual([]);
      });
      const pid = Number(await stage.project.read("pid").catch(() => "0"));
      await expect.poll(() => isAlive(pid)).toBe(false);
    },
  );
});
