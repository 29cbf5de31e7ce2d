/** A session as a trajectory fits the specification of ATIF-v1.7, loses nothing and gives away no secret. */
import { afterEach, describe, expect, it } from "vitest";
import { toAtif } from "../../../../../src/core/sessions/export/atif.ts";
import type { AtifTrajectory } from "../../../../../src/core/sessions/export/atif-types.ts";
import { openSessionStore } from "../../../../../src/core/sessions/store.ts";
import { ToolRegistry } from "../../../../../src/core/tools/registry.ts";
import { defineForeignTool } from "../../../../../src/core/tools/tool.ts";
import { translator } from "../../../../../src/shared/words/task-words.ts";
import { type Script, type ScriptPart, startModelServer } from "../../../../model-server/server.ts";
import { type Agent, startAgent } from "../../../../support/agent.ts";
import { atifFaults } from "../../../../support/atif-check.ts";
import { conversation } from "../../../../support/histories.ts";
import { underOne } from "../../../../support/protocols.ts";
import { generator, rounds, seedOf } from "../../../../support/random.ts";
import { assets, clockAt, MemoryStorage, newSession, quietLog } from "../support.ts";

const t = translator({});
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const KEY = "own-key-4f9a2c7e81b3";
const TOKEN = `ghp_${"Ab3d".repeat(9)}`;
const SUMMARY = "## Task\nChange a.txt.";

const camera = defineForeignTool({
  name: "camera",
  presentation: { icon: "eye", title: { doing: "Look", done: "Looked" }, row: "tool" },
  access: "mcp",
  description: "Looks.",
  schema: { type: "object", properties: {} },
  prepare: async () => ({
    paths: [],
    view: {},
    run: async () => ({
      parts: [
        { type: "text", text: "What it sees:" },
        { type: "image", mimeType: "image/png", data: PIXEL },
        { type: "image", mimeType: "image/tiff", data: PIXEL },
      ],
    }),
  }),
});

const SCRIPT: Script = {
  scope: "server",
  turns: [
    {
      match: { lastUser: 'explicit_instructions type="condense"' },
      answer: [{ text: SUMMARY }],
    },
    {
      answer: [
        { reasoning: "A file is needed." },
        { text: `The key is ${KEY}, the token ${TOKEN}.` },
        { tool: "read_file", params: { path: "a.txt" } },
      ],
      usage: { promptTokens: 100, completionTokens: 20, cachedTokens: 40, cost: 0.25 },
    },
    { answer: [{ tool: "camera", params: {} }] },
    { answer: [{ tool: "write_to_file", params: { path: "a.txt", content: `${KEY}\n` } }] },
    { answer: [{ tool: "attempt_completion", params: { result: "Nothing was changed." } }] },
    { answer: [{ text: "A long answer " }, { hold: "middle" }, { text: "that never ends" }] },
    { answer: [{ text: "Fine." }] },
  ],
};

let agent: Agent;
afterEach(() => agent.close());

async function record(protocol: "xml" | "native"): Promise<string> {
  const registry = new ToolRegistry();
  registry.add(camera);
  agent = await startAgent({
    ...{ script: { chunkSize: 5, ...SCRIPT }, protocol, registry, apiKey: KEY },
    approval: { mcp: true, edit: false },
    files: { "a.txt": `one\npassword: ${KEY}\n`, "AGENTS.md": "Use tabs." },
  });
  const asked = agent.asked();
  await agent.view.send("change a.txt", [{ mimeType: "image/png", data: PIXEL }]);
  const looks = await asked;
  const writes = agent.until((event) => event.type === "approval" && event.callId !== looks);
  agent.view.active.approve(looks);
  await writes;
  agent.view.active.reject(await agent.asked(), "Not that file.");
  await agent.view.active.idle;
  await agent.view.send("/compact keep names");
  await agent.view.active.idle;
  const heard = agent.until((event) => event.type === "delta" && event.delta.includes("wer"));
  await agent.view.send("tell me more");
  await heard;
  await agent.view.stop();
  await agent.view.send("go on");
  await agent.view.active.idle;
  return agent.view.active.id;
}

describe.each(underOne("native"))("a session under %s", (protocol) => {
  it("becomes steps with calls, results, images, metrics and what the window left out", async () => {
    const { text, name, files } = await exported(await record(protocol));
    expect(name).toBe("change a txt.trajectory.json");
    const trajectory: AtifTrajectory = JSON.parse(text);
    expect(atifFaults(trajectory)).toEqual([]);
    const { steps } = trajectory;
    expect(trajectory.agent).toEqual({ name: "nekode", version: "unknown", model_name: "scripted" });
    const [said, rules] = steps;
    const [read, look, write] = steps.filter(({ source }) => source === "agent");
    expect(rules).toMatchObject({ source: "system", observation: { results: [{ content: "Use tabs." }] } });
    expect(said).toMatchObject({
      source: "user",
      message: [
        { type: "text", text: expect.stringContaining("change a.txt") },
        { type: "image", source: { media_type: "image/png", path: files[0]?.path } },
      ],
      extra: {
        typed: "change a.txt",
        context: expect.arrayContaining([expect.stringMatching("environment")]),
      },
    });
    expect(read).toMatchObject({
      source: "agent",
      reasoning_content: "A file is needed.",
      tool_calls: [{ function_name: "read_file", arguments: { path: "a.txt" } }],
      metrics: { prompt_tokens: 100, completion_tokens: 20, cached_tokens: 40, cost_usd: 0.25 },
    });
    expect(read?.observation?.results[0]).toMatchObject({
      content: expect.stringContaining("one"),
      extra: { outcome: "done" },
    });
    expect(look?.observation?.results[0]?.content).toEqual([
      { type: "text", text: "What it sees:" },
      { type: "image", source: { media_type: "image/png", path: files[1]?.path } },
      { type: "text", text: "[An image of the type image/tiff is not included.]" },
    ]);
    expect(files.map(({ bytes }) => Buffer.from(bytes).toString("base64"))).toEqual([PIXEL, PIXEL]);
    expect(write?.observation?.results[0]).toMatchObject({
      content: expect.stringContaining("Not that file."),
      extra: { outcome: "rejected", user_comment: "Not that file." },
    });
    const condensed = steps.find((step) => step.observation?.results[0]?.content === SUMMARY);
    expect(condensed).toMatchObject({
      source: "system",
      extra: {
        context_management: { type: "compaction", boundary: "truncate", left_out_steps: { from: 2 } },
      },
    });
    const cut = steps.find((step) => step.extra?.interrupted === true);
    expect(cut).toMatchObject({ source: "agent", message: expect.stringMatching(/^A long ans/) });
    expect(steps.at(-1)).toMatchObject({ source: "agent", message: "Fine." });
    expect(trajectory.final_metrics).toMatchObject({ total_steps: steps.length, total_cost_usd: 0.25 });
    expect(trajectory.final_metrics.total_prompt_tokens).toBeGreaterThan(100);
    for (const secret of [KEY, TOKEN]) expect(text).not.toContain(secret);
  });

  it("becomes a script whose answers the played model gives again, without secrets", async () => {
    const { text } = await exported(await record(protocol), "script");
    for (const secret of [KEY, TOKEN, "password"]) expect(text).not.toContain(secret);
    const script: Script = JSON.parse(text);
    expect(script.turns.map(({ fault }) => fault?.kind)).toEqual([
      ...Array.from({ length: 4 }, () => undefined),
      "cut",
      undefined,
    ]);
    // The server refuses a script that is not one.
    const played = await startModelServer({ script });
    await played.close();
    const calls = script.turns.flatMap(({ answer = [] }) =>
      answer.flatMap((part: ScriptPart) => ("tool" in part ? [part.tool] : [])),
    );
    expect(calls).toEqual(["read_file", "camera", "write_to_file", "attempt_completion"]);
  });
});

function exported(id: string, format: "atif" | "script" = "atif") {
  return agent.project.library.export(id, format, t);
}

describe("sessions of every form", () => {
  const seed = seedOf("atif");

  it(`fit the specification (NEKODE_SEED=${seed})`, async () => {
    const store = await openSessionStore(new MemoryStorage(), assets, clockAt(), quietLog);
    const random = generator(seed);
    for (let round = 0; round < rounds(12, 40); round++) {
      const session = newSession(`s${round}`);
      const messages = conversation(random, 1 + Math.floor(random() * 60));
      await store.import(
        session,
        messages.map((message) => ({ ...message, id: `${round}-${message.id}` })),
        { todo: "" },
      );
      const stored = await store.load(session.id);
      if (!stored) throw new Error("it is not there");
      const { trajectory } = toAtif(stored, { version: "1" });
      expect(atifFaults(JSON.parse(JSON.stringify(trajectory)))).toEqual([]);
      const results = trajectory.steps.flatMap((step) => step.observation?.results ?? []);
      const kept = stored.messages.flatMap(({ blocks }) =>
        blocks.filter(({ type }) => type === "tool-result"),
      );
      expect(results.filter((result) => result.source_call_id !== undefined)).toHaveLength(kept.length);
    }
  });

  it("name the tasks that they started, and mark what a branch has of another", async () => {
    agent = await startAgent({ script: { turns: [{ times: true, answer: [{ text: "Fine." }] }] } });
    await agent.view.send("the first");
    await agent.view.active.idle;
    const { id: parent } = agent.view.active;
    const { store } = await agent.another();
    const start = { ...newSession("child"), parent, startedAt: new Date().toISOString() };
    await store.import(start, conversation(generator(1), 8), { todo: "" });
    await agent.restart();
    const trajectory: AtifTrajectory = JSON.parse((await exported(parent)).text);
    expect(atifFaults(trajectory)).toEqual([]);
    expect(trajectory.subagent_trajectories).toEqual([
      expect.objectContaining({ trajectory_id: "child", extra: expect.objectContaining({ parent }) }),
    ]);
    expect(trajectory.steps.at(-1)?.observation?.results.at(-1)).toEqual({
      subagent_trajectory_ref: [{ trajectory_id: "child", session_id: "child" }],
    });
    await agent.view.open(parent);
    await agent.view.send("the second");
    await agent.view.active.idle;
    const second = agent.rows().findLast((row) => row.kind === "user")?.id ?? "";
    await agent.view.fork(second);
    await agent.view.send("another second");
    await agent.view.active.idle;
    const branch: AtifTrajectory = JSON.parse((await exported(agent.view.active.id)).text);
    expect(atifFaults(branch)).toEqual([]);
    expect(branch.steps.map((step) => step.is_copied_context ?? false)).toEqual([true, true, false, false]);
    expect(branch.extra).toMatchObject({ branch_of: parent });
  });

  it("refer from the result of a call to the task that it started", async () => {
    const look = { firstUser: "Look at a" };
    const turns: Script["turns"] = [
      { match: { ...look, request: 1 }, answer: [{ tool: "read_file", params: { path: "a.txt" } }] },
      {
        match: { ...look, request: 2 },
        answer: [{ tool: "attempt_completion", params: { result: "It is a." } }],
      },
      {
        match: { request: 1 },
        answer: [
          { tool: "start_task", params: { description: "Look at a", kind: "explore" } },
          { tool: "list_files", params: { path: "." } },
        ],
      },
      { answer: [{ tool: "attempt_completion", params: { result: "Known." } }] },
    ];
    agent = await startAgent({ script: { turns }, protocol: "native", files: { "a.txt": "a\n" } });
    await agent.view.send("do all");
    await agent.view.active.idle;
    const trajectory: AtifTrajectory = JSON.parse((await exported(agent.view.active.id)).text);
    expect(atifFaults(trajectory)).toEqual([]);
    const [child] = trajectory.subagent_trajectories ?? [];
    expect(child?.steps.filter(({ source }) => source === "agent")).toHaveLength(2);
    const first = trajectory.steps.find(({ tool_calls: calls }) => calls?.length === 2);
    const results = first?.observation?.results ?? [];
    const [starts, lists] = (first?.tool_calls ?? []).map((call) =>
      results.filter((result) => result.source_call_id === call.tool_call_id),
    );
    expect(starts).toEqual([
      expect.objectContaining({
        content: expect.stringContaining("It is a."),
        subagent_trajectory_ref: [{ trajectory_id: child?.trajectory_id, session_id: child?.session_id }],
      }),
    ]);
    expect(lists?.map((result) => result.subagent_trajectory_ref)).toEqual([undefined]);
    expect(results).toHaveLength(2);
  });
});
