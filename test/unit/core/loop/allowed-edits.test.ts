/** Approving an edit can let edits run without asking in this session: what that allows, and where it is not offered. */
import { afterEach, expect, it } from "vitest";
import type { ApprovalView } from "../../../../src/shared/event.ts";
import { LEVEL_ACCESS } from "../../../../src/shared/permission/levels.ts";
import type { ScriptPart } from "../../../model-server/server.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";

let agent: Agent;
afterEach(() => agent.close());

const write = (path: string, content = "new\n"): ScriptPart => ({
  tool: "write_to_file",
  params: { path, content },
});
const RUN: ScriptPart = {
  tool: "execute_command",
  params: { command: "npm test", requires_approval: false },
};
const DONE: ScriptPart = { tool: "attempt_completion", params: { result: "Done." } };

async function start(...answers: ScriptPart[]): Promise<void> {
  agent = await startAgent({
    script: { scope: "server", turns: answers.map((answer) => ({ times: 1, answer: [answer] })) },
    approval: LEVEL_ACCESS.ask,
    files: { "a.txt": "a\n" },
  });
}

const approvals = (): ApprovalView[] =>
  agent.events.flatMap((event) => (event.type === "approval" ? [event.approval] : []));

it("the edit that was approved is written, the next one does not ask, and a command does", async () => {
  await start(write("a.txt"), write("b.txt"), RUN, DONE);
  await agent.view.send("go");
  agent.view.active.approve(await agent.asked(), undefined, { allow: "session" });
  const command = await agent.until(({ type }) => type === "approval");
  expect(agent.files.get("/project/a.txt")).toBe("new\n");
  expect(agent.files.get("/project/b.txt")).toBe("new\n");
  expect(command).toMatchObject({ approval: { access: "command" } });
  expect(approvals().map(({ access, offersEdits }) => [access, offersEdits])).toEqual([
    ["edit", true],
    ["command", undefined],
  ]);
  expect(agent.view.active.access).toEqual({ ...LEVEL_ACCESS.ask, edit: true });
  await agent.view.stop();
  // The settings are unchanged, so another session asks.
  await agent.view.newTask();
  expect(agent.view.active.access).toEqual(LEVEL_ACCESS.ask);
});

it("a rejection allows nothing, whatever comes with it", async () => {
  await start(write("a.txt"), DONE);
  await agent.view.send("go");
  const id = await agent.asked();
  agent.view.active.approvals.decide(id, { approved: false, comment: undefined }, { allow: "session" });
  await agent.view.active.idle;
  expect(agent.view.active.access.edit).toBe(false);
});

it("is not offered, and not done, where the user chose that the tool asks", async () => {
  await start(write("a.txt"), DONE);
  await agent.view.active.changePermission({ exceptions: { write_to_file: false } });
  await agent.view.send("go");
  const id = await agent.asked();
  expect(approvals()[0]?.offersEdits).toBeUndefined();
  agent.view.active.approve(id, undefined, { allow: "session" });
  await agent.view.active.idle;
  expect(agent.files.get("/project/a.txt")).toBe("new\n");
  expect(agent.view.active.access.edit).toBe(false);
});
