/** Plans in the real loop: what is a document, how it starts, and what is said at the end. */
import { afterEach, expect, it } from "vitest";
import { Checkpoints } from "../../../../../src/core/checkpoints/checkpoints.ts";
import { PLAN_DIFFERS, PLAN_DOCUMENT, SWITCHED_TO_ACT } from "../../../../../src/core/prompts/replies.ts";
import { LEVEL_ACCESS } from "../../../../../src/shared/permission/levels.ts";
import type { ScriptPart, ScriptTurn } from "../../../../model-server/server.ts";
import { type Agent, type AgentOptions, startAgent } from "../../../../support/agent.ts";
import { memoryFileStates } from "../../../../support/memory-file-states.ts";
import { withWorktrees } from "../../../../support/memory-worktrees.ts";

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const PLAN = `# Paint the cat

Change \`a.txt\` and \`b.txt\`, and add the new file \`c.txt\`.

- [ ] paint
- [ ] dry
`;
const planned = (response = PLAN): ScriptPart => ({ tool: "plan_mode_respond", params: { response } });
const done = (result = "Done."): ScriptPart => ({ tool: "attempt_completion", params: { result } });
const write = (path: string): ScriptPart => ({ tool: "write_to_file", params: { path, content: "new\n" } });
const answers = (...parts: ScriptPart[][]): ScriptTurn[] => parts.map((answer) => ({ answer }));

async function start(turns: ScriptTurn[], options: Partial<AgentOptions> = {}): Promise<void> {
  agent = await startAgent({
    script: { scope: "server", turns },
    protocol: "native",
    files: { "a.txt": "a\n", "b.txt": "b\n", "x.txt": "x\n" },
    approval: LEVEL_ACCESS.all,
    checkpoints: ({ host, files }, storage) =>
      new Checkpoints({
        ...{ storage, files: memoryFileStates(files), clock: host.clock, log: host.log },
        settings: () => agent.settings.checkpoints,
        newId: () => host.newId(),
      }),
    ...options,
  });
  await agent.view.active.setMode("plan");
}

async function say(text: string): Promise<void> {
  await agent.view.send(text);
  await agent.view.active.idle;
}

const body = (n: number) => JSON.stringify(agent.server.requests[n - 1]?.body);
const last = () => body(agent.server.requests.length);
const count = (text: string, part: string) => text.split(JSON.stringify(part).slice(1, -1)).length - 1;
const notices = () =>
  agent.rows().flatMap((row) => (row.kind === "notice" && row.code === "plan-compared" ? [row.values] : []));
const typed = () => agent.rows().flatMap((row) => (row.kind === "user" ? [row.text] : []));

it("says how a plan becomes a document only in plan mode, and once", async () => {
  await start(answers([planned()], [planned()], [done()], [done()]));
  await say("plan it");
  await say("another color");
  expect(count(last(), PLAN_DOCUMENT)).toBe(1);
  await agent.view.newTask();
  await agent.view.active.setMode("act");
  await say("paint it");
  expect(last()).not.toContain("PLAN DOCUMENT");
});

it("says nothing of documents where nobody can read them", async () => {
  await start(answers([planned()]), { unattended: true });
  await say("plan it");
  expect(last()).not.toContain("PLAN DOCUMENT");
});

it("an answer without a title is no document, and act mode begins as before", async () => {
  await start(answers([planned("Write a.txt.")], [planned("What do you mean?")]));
  await say("plan it");
  expect(agent.view.active.plans.find()).toBeUndefined();
  await say("/start");
  expect(last()).toContain("/start");
  expect(agent.view.active.transcript.mode).toBe("plan");
});

it("/start switches to act mode, and the model reads what it read before there were documents", async () => {
  await start(answers([planned()], [write("a.txt")], [write("b.txt"), write("c.txt")], [done()], [done()]));
  await say("plan it");
  await say("/start");
  const { transcript } = agent.view.active;
  expect(transcript.mode).toBe("act");
  expect(typed()).toEqual(["plan it", "/start"]);
  expect(count(body(2), SWITCHED_TO_ACT)).toBe(1);
  expect(body(2)).not.toContain("<plan>");
  expect(body(2)).toContain("# TODO LIST (0 of 2 done)");
});

it.each([
  ["/start", () => agent.view.send("/start")],
  [
    "/start in act mode",
    async () => {
      await agent.view.active.setMode("act");
      await agent.view.send("/start");
    },
  ],
  ["its button", () => agent.view.active.startWaitingPlan()],
  [
    "a message in act mode",
    async () => {
      await agent.view.active.setMode("act");
      await agent.view.send("go");
    },
  ],
])("hands over what the user changed in the editor, by %s", async (_, go) => {
  await start(answers([planned()], [done()], [done()]));
  await say("plan it");
  const { plans } = agent.view.active;
  const name = await plans.open(plans.find()?.callId ?? "");
  await agent.storage.replace(name, new TextEncoder().encode(PLAN.replace("paint", "brush")));
  await go();
  await agent.view.active.idle;
  expect(count(body(2), "\n<plan>\n# Paint the cat")).toBe(1);
  expect(body(2)).toContain("- [ ] brush");
  // The plan as it was handed over is compared, not the model's.
  expect(last()).toContain("brush; dry");
});

it("compares the changed files at the end, and tells the model once what is missing", async () => {
  await start(
    answers([planned()], [write("a.txt")], [write("x.txt")], [done()], [done("b.txt is good as it is.")]),
  );
  await say("plan it");
  await say("/start");
  const [told, final] = notices();
  expect(told).toEqual(["1", "3", "b.txt, c.txt", "x.txt", "2", "told"]);
  expect(final).toEqual(["1", "3", "b.txt, c.txt", "x.txt", "2"]);
  expect(count(last(), PLAN_DIFFERS)).toBe(1);
  expect(agent.server.requests).toHaveLength(5);
});

it("the comparison is shown again after a restart, and ends with the task", async () => {
  await start(
    answers([planned("# Paint\n\n`a.txt`")], [write("a.txt")], [done()], [write("b.txt")], [done()]),
  );
  await say("plan it");
  await say("/start");
  expect(notices()).toEqual([["1", "1", "", "", "0"]]);
  await agent.restart();
  expect(notices()).toEqual([["1", "1", "", "", "0"]]);
  await say("b too");
  expect(notices()).toHaveLength(1);
});

it("a revision is the plan, and a request that left messages out knows it still", async () => {
  const revised = PLAN.replace("cat", "dog");
  await start(answers([planned()], [planned(revised)], [{ text: "Summary." }], [done()], [done()]));
  await say("plan it");
  await say("a dog");
  await say("/compact");
  expect(agent.view.active.plans.find()).toMatchObject({ title: "Paint the dog", text: revised });
  await agent.restart();
  expect(agent.view.active.plans.find()).toMatchObject({ title: "Paint the dog", text: revised });
});

it("starts in a new task, whose context has the plan alone", async () => {
  await start(answers([planned()], [done()], [done()]));
  await say("plan it, whatever that takes");
  const from = agent.view.active.id;
  await say("/start new");
  const { id, chatView, transcript } = agent.view.active;
  expect(id).not.toBe(from);
  expect(transcript.mode).toBe("act");
  expect(chatView.session?.title).toBe("Paint the cat");
  expect(typed()).toEqual(["/start Paint the cat"]);
  expect(body(2)).not.toContain("whatever that takes");
  expect(count(body(2), "<plan>\n# Paint the cat")).toBe(1);
  expect(notices()).toHaveLength(2);
});

it("starts in a worktree, with another model and another agent", async () => {
  await start(answers([planned()], [{ text: "I work." }]), {
    files: { "a.txt": "a\n", ".github/agents/painter.agent.md": "---\nname: painter\n---\nPaint well.\n" },
  });
  withWorktrees(agent);
  await say("plan it");
  await say("/start worktree model default/other agent painter");
  const { transcript } = agent.view.active;
  expect(transcript.worktree).toMatchObject({ branch: expect.any(String) });
  expect(transcript.agent?.name).toBe("painter");
  expect(agent.server.chat(2)).toMatchObject({ model: "other" });
});

it("an agent that does not exist starts nothing, and the plan stays", async () => {
  await start(answers([planned()]));
  await say("plan it");
  const { id } = agent.view.active;
  await expect(agent.view.send("/start new agent nobody")).rejects.toThrow("nobody");
  expect(agent.view.active.id).toBe(id);
  expect(agent.server.requests).toHaveLength(1);
});

it("starts nothing while the agent works, and chooses nothing for that work", async () => {
  await start(answers([planned()], [{ tool: "execute_command", params: { command: "paint" } }], [done()]), {
    approval: LEVEL_ACCESS.ask,
    files: { "a.txt": "a\n", ".github/agents/painter.agent.md": "---\nname: painter\n---\nPaint well.\n" },
  });
  await say("plan it");
  await agent.view.send("paint it now");
  await agent.view.active.setMode("act");
  expect(agent.view.active.busy).toBe(true);
  await expect(agent.view.send("/start agent painter model default/other")).rejects.toThrow("is working");
  expect(agent.view.active.transcript.agent).toBeUndefined();
  expect(agent.view.active.chatView.chosen).toEqual({});
  await agent.view.active.stop();
});

it("starts a plan after which the conversation went on", async () => {
  await start(answers([planned()], [planned("It is a cat.")], [done()], [done()]));
  await say("plan it");
  await say("what is it?");
  await say("/start");
  expect(agent.view.active.transcript.mode).toBe("act");
  expect(count(body(3), "Carry out this plan, which was made in PLAN MODE.\n<plan>\n# Paint the cat")).toBe(
    1,
  );
  expect(notices()).toHaveLength(2);
});

it("sends comments as one message that quotes their lines, and expands nothing in them", async () => {
  const plan = "# Paint\n\nLook at @/x.txt first.\n\n- [ ] /init\n";
  await start(answers([planned(plan)], [planned(plan)]));
  await say("plan it");
  const { plans } = agent.view.active;
  const { callId = "" } = plans.find() ?? {};
  await plans.setComments(callId, [
    { line: 4, quote: "- [ ] /init", text: "Not this." },
    { line: 0, quote: "Look at @/x.txt first.", text: "Why @/b.txt?" },
  ]);
  await agent.restart();
  await agent.view.active.sendPlanComments();
  await agent.view.active.idle;
  const message = typed().at(-1) ?? "";
  expect(message).toContain(
    "Line 3:\n> Look at @/x.txt first.\nWhy @/b.txt?\n\nLine 5:\n> - [ ] /init\nNot this.",
  );
  expect(last()).not.toContain("file_content");
  expect(last()).not.toContain("AGENTS.md");
  expect(await agent.view.active.plans.comments(callId)).toEqual([]);
});
