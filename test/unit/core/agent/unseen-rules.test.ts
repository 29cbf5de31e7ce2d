/** Rules that a command in the sandbox made are no rules before the user has continued the task whose row names them. */
import { afterEach, expect, it } from "vitest";
import { UnseenRules } from "../../../../src/core/instructions/unseen-rules.ts";
import type { ScriptPart } from "../../../model-server/server.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";

let agent: Agent;

afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const RULE = "Obey the cat.";
const MADE = "/project/AGENTS.md";
const done: ScriptPart = { text: "Done." };

it("in other tasks not at all, and in this one from the user's next message", async () => {
  const make: ScriptPart = {
    tool: "execute_command",
    params: { command: "make rules", requires_approval: false },
  };
  agent = await startAgent({
    script: {
      scope: "server",
      turns: [make, done, done, done].map((answer) => ({ times: 1, answer: [answer] })),
    },
    protocol: "native",
    approval: { commandSafe: true },
    hasSandbox: true,
    async run(command) {
      if (command === "make rules") agent.files.set(MADE, RULE);
      return 0;
    },
    made: (command) => (command === "make rules" ? [MADE] : []),
  });
  const { view } = agent;
  const first = view.active;
  await view.send("make them");
  await first.idle;
  expect(agent.events.find(({ type }) => type === "call-running")).toMatchObject({
    sandbox: { profile: "work" },
  });
  const shown = agent.calls()[0]?.shown?.sandbox;
  expect(shown).toEqual({ profile: "work", made: { rules: ["AGENTS.md"], others: [], more: 0 } });
  const told = JSON.stringify(agent.server.chat(2).messages);
  expect(told).toContain("New files that instruct agents: AGENTS.md.");

  await view.newTask();
  await view.send("something else");
  await view.active.idle;
  expect(JSON.stringify(agent.server.chat(3).messages)).not.toContain(RULE);

  await view.open(first.id);
  await view.send("go on");
  await view.active.idle;
  expect(JSON.stringify(agent.server.chat(4).messages.at(-1))).toContain(RULE);
});

it("skills, commands and agents neither, also where one of the user has the same name", async () => {
  const inFiles = {
    ".claude/skills/cat/SKILL.md": "---\nname: cat\ndescription: Feeds cats.\n---\nFeed the cat.",
    ".claude/commands/deploy.md": "Deploy to the cat.",
    ".claude/agents/kitten.md": "---\nname: kitten\ndescription: Plays.\n---\nYou are a kitten.",
  };
  const make: ScriptPart = {
    tool: "execute_command",
    params: { command: "make skills", requires_approval: false },
  };
  agent = await startAgent({
    script: {
      scope: "server",
      turns: [make, done, done, done].map((answer) => ({ times: 1, answer: [answer] })),
    },
    protocol: "native",
    approval: { commandSafe: true },
    hasSandbox: true,
    async run() {
      for (const [name, text] of Object.entries(inFiles)) agent.files.set(`/project/${name}`, text);
      return 0;
    },
    made: () => ["/project/.claude"],
  });
  const { view, project } = agent;
  const offered = async () => [
    ...(await project.slashCommands()).map(({ name }) => name),
    ...(await project.agents()).map(({ name }) => name),
  ];
  const first = view.active;
  await view.send("make them");
  await first.idle;
  await view.newTask();
  await view.send("/deploy now");
  await view.active.idle;
  const told = JSON.stringify(agent.server.chat(3));
  for (const text of ["Feeds cats", "Deploy to the cat", "Plays"]) expect(told).not.toContain(text);
  for (const name of ["cat", "deploy", "kitten"]) expect(await offered()).not.toContain(name);

  await view.open(first.id);
  await view.send("go on");
  await view.active.idle;
  expect(JSON.stringify(agent.server.chat(4))).toContain("Feeds cats");
  for (const name of ["cat", "deploy", "kitten"]) expect(await offered()).toContain(name);
});

it("covers what is in a folder that was made, and what the user turns on", () => {
  const unseen = new UnseenRules();
  unseen.add(["/project/.cursor", MADE], "s");
  const file = "/project/.cursor/rules/cat.mdc";
  const states = () => [file, MADE, "/project/.cursorrules"].map((path) => unseen.includes(path));
  expect(states()).toEqual([true, true, false]);
  unseen.use(file);
  expect(states()).toEqual([false, true, false]);
  unseen.seen("another");
  expect(states()).toEqual([false, true, false]);
  unseen.seen("s");
  expect(states()).toEqual([false, false, false]);
});
