/** What the user switches on and off: tools of other extensions, and built-in ones, from turn to turn. */
import { afterEach, describe, expect, it } from "vitest";
import { NeedsEditorChat, ToolError } from "../../../../src/core/errors.ts";
import { ToolRecords } from "../../../../src/core/tools/switches/tool-records.ts";
import { type ToolSwitchAction, tokensOfTools } from "../../../../src/shared/tool-list.ts";
import type { ScriptPart, ScriptTurn } from "../../../model-server/server.ts";
import { type Agent, type AgentOptions, startAgent } from "../../../support/agent.ts";
import { gate } from "../../../support/gate.ts";
import {
  ISSUE_TOOL,
  type MemoryEditorTools,
  memoryEditorTools,
} from "../../../support/memory-editor-tools.ts";
import { withoutCells } from "../../../support/without-cells.ts";
import { MemoryStorage, quietLog } from "../sessions/support.ts";

const CALLED = "ext__github-pull-request_issue_fetch";
const REPLY: ScriptTurn = { answer: [{ text: "Done." }] };
const FETCH: ScriptTurn = { answer: [{ tool: CALLED, params: { issue: 7 } } as ScriptPart] };
const READ: ScriptTurn = { answer: [{ tool: "read_file", params: { path: "a.txt" } }] };
const SWITCH_ON: ToolSwitchAction = {
  ...{ origin: "extension", owner: ISSUE_TOOL.extension, name: ISSUE_TOOL.name },
  on: true,
};
const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);

let agent: Agent;
let tools: MemoryEditorTools;
let records: ToolRecords;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

async function start(turns: ScriptTurn[], options: Partial<AgentOptions> = {}): Promise<void> {
  tools = memoryEditorTools();
  records = new ToolRecords(new MemoryStorage(), quietLog);
  agent = await startAgent({
    ...{ script: { turns }, protocol: "native", files: { "a.txt": "one\n" }, toolRecords: records },
    before: ({ host }) => Object.assign(host, { editorTools: tools }),
    ...options,
  });
}

const offered = (n: number) => JSON.stringify(agent.server.chat(n).tools);
/** What the model got of the last call. */
const result = () =>
  JSON.stringify(
    agent.server.chat(agent.server.requests.length).messages.findLast(({ role }) => role === "tool"),
  );
async function say(text: string): Promise<string | undefined> {
  await agent.view.send(text);
  return (await agent.view.active.idle)?.type;
}
/** Sends the message, and approves the call that asks. */
async function approveIn(text: string, always = false): Promise<void> {
  const asked = agent.asked();
  await agent.view.send(text);
  const callId = await asked;
  const decision = { approved: true, comment: undefined };
  agent.view.active.approvals.decide(callId, decision, always ? { allow: "always" } : {});
  await agent.view.active.idle;
}

describe("a tool of another extension", () => {
  it("is off until the user switches it on, and asks even where MCP tools need no approval", async () => {
    await start([REPLY, FETCH, REPLY], { approval: { mcp: true } });
    await say("hello");
    expect(offered(1)).not.toContain("ext__");
    await agent.project.switchTool(SWITCH_ON);
    await approveIn("fetch the issue");
    expect(offered(2)).toContain(CALLED);
    expect(tools.calls).toMatchObject([{ name: ISSUE_TOOL.name, input: { issue: 7 } }]);
    expect(result()).toMatch(/<data-\w+>\\nThe issue is open\.\\n<\/data-/);
    expect(agent.calls()).toMatchObject([
      { tool: CALLED, subject: `${ISSUE_TOOL.owner}: ${ISSUE_TOOL.name}`, state: "done" },
    ]);
  });

  it("runs without asking once the user always allows it, and asks again when its definition changes", async () => {
    await start([FETCH, REPLY, FETCH, REPLY, FETCH, REPLY, FETCH, REPLY]);
    await agent.project.switchTool(SWITCH_ON);
    await approveIn("fetch", true);
    expect(tools.calls).toHaveLength(1);
    tools.offered = [{ ...ISSUE_TOOL, description: "Deletes an issue." }];
    await approveIn("fetch again");
    expect(tools.calls).toHaveLength(2);
    expect(await say("and again")).toBe("replied");
    expect(tools.calls).toHaveLength(3);
    // Off and on again is a new decision.
    await agent.project.switchTool({ ...SWITCH_ON, on: false });
    await agent.project.switchTool(SWITCH_ON);
    await approveIn("once more");
    expect(tools.calls).toHaveLength(4);
  });

  it("cannot be called in plan mode, even if it is always allowed", async () => {
    await start([FETCH, REPLY]);
    await agent.project.switchTool(SWITCH_ON);
    await records.setEditor(`${ISSUE_TOOL.extension}/${ISSUE_TOOL.name}`, { always: true });
    await agent.view.active.setMode("plan");
    await say("fetch");
    expect(tools.calls).toEqual([]);
    expect(result()).toContain("cannot be used in PLAN MODE");
  });

  it("that disappears while a call waits for approval is refused with its owner's name", async () => {
    await start([FETCH, REPLY]);
    await agent.project.switchTool(SWITCH_ON);
    const asked = agent.asked();
    await agent.view.send("fetch");
    const callId = await asked;
    tools.offered = [];
    agent.view.active.approve(callId);
    await agent.view.active.idle;
    expect(tools.calls).toEqual([]);
    expect(result()).toContain("GitHub Pull Requests no longer offers the tool");
  });

  it("that is switched off while its call waits for approval does not run", async () => {
    await start([FETCH, REPLY]);
    await agent.project.switchTool(SWITCH_ON);
    const asked = agent.asked();
    await agent.view.send("fetch");
    const callId = await asked;
    await agent.project.switchTool({ ...SWITCH_ON, on: false });
    agent.view.active.approve(callId);
    await agent.view.active.idle;
    expect(tools.calls).toEqual([]);
    expect(result()).toContain("switched the tool");
  });

  it("that works only in the editor's own chat says so, and is not offered again", async () => {
    await start([FETCH, REPLY, REPLY]);
    await agent.project.switchTool(SWITCH_ON);
    tools.answer = async () => {
      throw new NeedsEditorChat("toolInvocationToken is required");
    };
    await approveIn("fetch");
    expect(result()).toContain("works only in the editor's own chat");
    await say("again");
    expect(offered(3)).not.toContain("ext__");
    const { groups } = await agent.project.tools();
    expect(groups.at(-1)?.tools).toMatchObject([{ name: ISSUE_TOOL.name, on: false, fixed: "editor-chat" }]);
  });

  it("that fails is an error of the call, and Stop ends it", async () => {
    await start([FETCH, REPLY, FETCH]);
    await agent.project.switchTool(SWITCH_ON);
    tools.answer = async () => {
      throw new ToolError("The tool failed: no such issue");
    };
    await approveIn("fetch");
    expect(result()).toContain("no such issue");
    expect(agent.calls()).toMatchObject([{ state: "failed" }]);
    const running = gate();
    tools.answer = (signal) =>
      new Promise((_resolve, reject) => {
        running.open();
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
    const asked = agent.asked();
    await agent.view.send("fetch again");
    agent.view.active.approve(await asked);
    await running.passed;
    await agent.view.active.stop();
    expect(tools.calls.at(-1)?.signal.aborted).toBe(true);
  });

  it("returns images as images, by their first bytes, and names what nobody can read", async () => {
    await start([FETCH, REPLY]);
    await agent.project.switchTool(SWITCH_ON);
    tools.answer = async () => [
      { type: "data", mimeType: "image/png", data: PNG },
      { type: "data", mimeType: "image/png", data: Uint8Array.of(1, 2) },
      { type: "data", mimeType: "application/json", data: new TextEncoder().encode('{"a":1}') },
    ];
    await approveIn("fetch");
    const sent = JSON.stringify(agent.server.chat(2).messages);
    expect(sent).toContain("[Data, image/png, 2 bytes.");
    expect(sent).toContain("image_url");
    expect(sent).toContain(JSON.stringify('{"a":1}').slice(1, -1));
  });

  it("never takes the name of another tool", async () => {
    await start([REPLY]);
    tools.offered = [ISSUE_TOOL, { ...ISSUE_TOOL, name: "github-pull-request_issue fetch" }];
    await agent.project.switchTool(SWITCH_ON);
    await agent.project.switchTool({ ...SWITCH_ON, name: "github-pull-request_issue fetch" });
    await say("hello");
    expect(offered(1)).toContain(`"${CALLED}"`);
    expect(offered(1)).toContain(`"${CALLED}_2"`);
  });
});

describe("a built-in tool", () => {
  it("that is switched off is not offered from the next message on, and the prompt does not change before", async () => {
    await start([READ, REPLY, READ, REPLY], { approval: { read: true } });
    const joined = agent.until((event) => event.type === "call-running");
    const first = say("read");
    await joined;
    await agent.project.switchTool({ origin: "built-in", owner: "", name: "read_file", on: false });
    expect(await first).toBe("replied");
    expect(offered(2)).toBe(offered(1));
    await say("read again");
    expect(offered(3)).not.toContain('"read_file"');
    expect(result()).toContain("The user switched the tool read_file off");
  });

  it("that every task needs cannot be switched off", async () => {
    await start([REPLY]);
    const off = { origin: "built-in", owner: "", name: "attempt_completion", on: false } as const;
    await expect(agent.project.switchTool(off)).rejects.toThrow("cannot be switched off");
    // Whoever edits the file by hand does not lose it either.
    await records.setBuiltIn("attempt_completion", false);
    await say("hello");
    expect(offered(1)).toContain('"attempt_completion"');
  });

  it("costs in the list what it adds to the request", async () => {
    await start([REPLY, REPLY]);
    const before = await agent.project.tools();
    const [group] = before.groups;
    expect(group?.tools.find(({ name }) => name === "execute_command")?.tokens).toBeGreaterThan(50);
    await say("hello");
    const names = agent.server.chat(1).tools?.map((tool) => tool.function.name) ?? [];
    expect(withoutCells(group?.tools ?? []).map(({ name }) => name)).toEqual(names);
    await agent.project.switchTool({ origin: "built-in", owner: "", name: "execute_command", on: false });
    const after = await agent.project.tools();
    expect(tokensOfTools(after.groups[0]?.tools ?? [])).toBeLessThan(tokensOfTools(group?.tools ?? []));
  });
});
