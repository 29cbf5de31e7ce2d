/** A command whose script changed while it waited for approval is shown again, and what was approved before never runs. */
import { afterEach, expect, it } from "vitest";
import { type Agent, startAgent } from "../../../support/agent.ts";

let agent: Agent;

afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

async function asked(command: string, files: Record<string, string>): Promise<string> {
  const call = { tool: "execute_command", params: { command, requires_approval: "false" } };
  agent = await startAgent({
    script: {
      scope: "server",
      turns: [call, { text: "Done." }].map((answer) => ({ times: 1, answer: [answer] })),
    },
    files,
  });
  const waiting = agent.asked();
  await agent.view.send("run it");
  return waiting;
}
const approval = () => agent.calls()[0]?.approval;
const told = () => JSON.stringify(agent.server.chat(agent.server.requests.length).messages);

it.each([
  ["sh run.sh", "run.sh"],
  ["sh run.sh", "part.sh"],
])(
  "`%s`, of which %s changed, asks again with the comment, and runs once it is approved as it is now",
  async (command, changed) => {
    const id = await asked(command, { "run.sh": "sh part.sh\n", "part.sh": "echo good\n" });
    expect(approval()?.covers?.files).toEqual(["run.sh", "part.sh"]);
    const { hash } = approval()?.covers ?? {};
    agent.files.set(`/project/${changed}`, "echo bad\n");
    const again = agent.until(({ type }) => type === "approval");
    agent.view.active.approve(id, "quickly");
    await again;
    expect(agent.commands).toEqual([]);
    expect(approval()?.changedSince).toEqual([changed]);
    expect(approval()?.covers?.hash).not.toBe(hash);
    agent.view.active.approve(id);
    await agent.view.active.idle;
    expect(agent.commands).toEqual([command]);
    expect(told()).toContain("quickly");
  },
);

it("a rejection needs no second question", async () => {
  const id = await asked("sh run.sh", { "run.sh": "echo good\n" });
  agent.files.set("/project/run.sh", "echo bad\n");
  agent.view.active.reject(id, "no");
  await agent.view.active.idle;
  expect(agent.commands).toEqual([]);
});

it("what changes all the time ends the call, and the model learns it", async () => {
  const id = await asked("python3 count.py run.log", { "count.py": "1\n", "run.log": "0\n" });
  for (let lines = 1; lines <= 3; lines++) {
    agent.files.set("/project/run.log", `${lines}\n`);
    const again = agent.until(({ type }) => type === "approval");
    agent.view.active.approve(id);
    await again;
  }
  agent.files.set("/project/run.log", "4\n");
  agent.view.active.approve(id);
  await agent.view.active.idle;
  expect(agent.commands).toEqual([]);
  expect(told()).toContain("run.log, which the command names, changed since the command was proposed");
});
