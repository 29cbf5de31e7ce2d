/** `/agent`, `/next`, `/clear` and `/start` between two turns in a terminal. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { nextMessage, type Prompt } from "../../../src/cli/prompt.ts";
import { translator } from "../../../src/shared/words/task-words.ts";
import { type Agent, startAgent } from "../../support/agent.ts";

let agent: Agent;
let said: string;

beforeEach(async () => {
  said = "";
  agent = await startAgent({ script: { turns: [{ answer: [{ text: "One finding." }] }] } });
});
afterEach(() => agent.close());

/** Types these lines, and returns the message with the text that the last input line began with. */
async function typed(...lines: string[]): Promise<{ message: string | undefined; draft: string }> {
  let draft = "";
  const terminal = {
    ask: async (_question: string, _signal: AbortSignal, initial = "") => {
      draft = initial;
      return lines.shift();
    },
  };
  const prompt = {
    project: agent.project,
    view: agent.view,
    terminal,
    t: translator({}),
    err: (text: string) => {
      said += text;
    },
    signal: new AbortController().signal,
  };
  const message = await nextMessage(prompt as unknown as Prompt);
  return { message, draft };
}

it("list the agents, and choose one by its name", async () => {
  await typed("/agent", "/agent nobody", "/agent review", "/agent");
  expect(said).toMatch(/^\* act +Act mode: .*\n {2}plan .*\n {2}ask .*\n {2}review .*\n {2}test .*\n/);
  expect(said).toContain('there is no agent named "nobody"');
  expect(said).toContain("* review");
  expect(agent.view.active.chatView.agent).toBe("review");
});

it("offer what the agent hands over to, and write its message for the user to send", async () => {
  await typed("/agent review");
  expect(said).not.toContain("/next");
  await agent.view.send("Review it");
  await agent.view.active.idle;
  const { message, draft } = await typed("/next 7", "/next 1", "send it");
  expect(said).toContain("Next steps\n  /next 1  Fix the findings (act)\n");
  expect(said).toContain("There is no next step 7.");
  expect({ message, draft }).toEqual({ message: "send it", draft: "Fix the findings of your review." });
  expect(agent.view.active.chatView.agent).toBeUndefined();
  expect(agent.server.requests).toHaveLength(1);
});

it("start a new task by /clear, and say so", async () => {
  await agent.view.send("Review it");
  await agent.view.active.idle;
  const { id } = agent.view.active;
  const { message } = await typed("/clear", "Next");
  expect(message).toBe("Next");
  expect(agent.view.active.id).not.toBe(id);
  expect(said).toContain("A new task begins with your next message.");
});

it("start a plan only where there is one", async () => {
  expect((await typed("/start", "go on")).message).toBe("go on");
  expect(said).toBe("There is no plan to start. In plan mode, ask for one.\n");
  await agent.close();
  const params = { response: "# Paint\n\nAll of it." };
  agent = await startAgent({ script: { turns: [{ answer: [{ tool: "plan_mode_respond", params }] }] } });
  await agent.view.active.setMode("plan");
  await agent.view.send("Plan it");
  await agent.view.active.idle;
  expect((await typed("/start new")).message).toBe("/start new");
});
