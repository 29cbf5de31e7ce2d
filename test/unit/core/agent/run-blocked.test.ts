/** A command that the sandbox blocked runs with network, or outside, once the user presses its button: exactly that command, once. */
import { afterEach, expect, it } from "vitest";
import { translator } from "../../../../src/shared/words/task-words.ts";
import type { ScriptPart } from "../../../model-server/server.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";

let agent: Agent;
/** Where each command ran. */
let ran: string[];

afterEach(async () => {
  failure = NO_NETWORK;
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const BLOCKED = "sh get.sh";
const MESSAGE = `Run with network: \`${BLOCKED}\``;
const run = (command: string, more: Record<string, unknown> = {}): ScriptPart => ({
  tool: "execute_command",
  params: { command, requires_approval: true, ...more },
});
const again = run(BLOCKED, { network: true });
const done: ScriptPart = { text: "Done." };

/** A call in an answer that is received until the test releases it. */
const held: ScriptPart[] = [{ hold: "middle" }, run("true")];

const NO_NETWORK = "curl: (6) Could not resolve host: example.com\n";
const NO_WRITE = "sh: 1: cannot create /opt/x: Read-only file system\n";
/** What a command outside the network prints. */
let failure = NO_NETWORK;

/** Runs a task whose first call is blocked; `answers` follow it. */
async function start(...answers: (ScriptPart | ScriptPart[])[]): Promise<void> {
  ran = [];
  agent = await startAgent({
    script: {
      scope: "server",
      turns: [run(BLOCKED), ...answers].map((answer) => ({ times: 1, answer: [answer].flat() })),
    },
    protocol: "native",
    approval: { commandSafe: true, edit: true },
    files: { "get.sh": "curl https://example.com\n" },
    hasSandbox: true,
    async run(command, _signal, onOutput, sandbox) {
      ran.push(`${sandbox === undefined ? "outside" : sandbox.network ? "network" : "in"}: ${command}`);
      if (sandbox === undefined || sandbox.network || command === "true") return 0;
      onOutput(failure);
      return 6;
    },
  });
  await agent.view.send("get it");
}

const session = () => agent.view.active;
const callId = () => agent.calls()[0]?.id ?? "";
const press = (id = callId()) => session().runBlocked(id, translator({}));
const queuedId = () => session().chatView.queue[0]?.id ?? "";
const userRows = () => agent.rows().flatMap((row) => (row.kind === "user" ? [row.text] : []));
/** Whether the turn asks before it ends. */
const asks = () => Promise.race([agent.asked().then(() => true), session().idle.then(() => false)]);

it.each([
  ["in the sandbox with network", NO_NETWORK, "network", MESSAGE, "network"],
  ["outside", NO_WRITE, "outside_sandbox", `Run outside the sandbox: \`${BLOCKED}\``, "outside"],
])("runs %s without a question, and asks the agent to go on", async (_, output, param, message, place) => {
  failure = output;
  await start(done, run(BLOCKED, { [param]: true }), done);
  await session().idle;
  expect(await press()).toBe(true);
  expect(await asks()).toBe(false);
  expect(ran).toEqual([`in: ${BLOCKED}`, `${place}: ${BLOCKED}`]);
  expect(userRows()).toEqual(["get it", message]);
  const told = JSON.stringify(agent.server.chat(3).messages.at(-1));
  expect(told).toContain(message);
  expect(told).toContain(`with ${param} true`);
  expect(told).toContain(`<command>\\n${BLOCKED}\\n</command>`);
  expect(agent.calls()[1]?.shown?.sandbox).toEqual(
    place === "network" ? { profile: "work", network: true } : undefined,
  );
});

it("stays in the sandbox where the network was approved and the model asks for more", async () => {
  await start(done, run(BLOCKED, { outside_sandbox: true }), done);
  await session().idle;
  await press();
  expect(await asks()).toBe(false);
  expect(ran).toEqual([`in: ${BLOCKED}`, `network: ${BLOCKED}`]);
});

it("from an approval, gets the network in the sandbox alone, and nothing from now on", async () => {
  await start(run("npm install", { network: true }), done);
  const asked = await agent.asked();
  const shown = agent.calls().find(({ id }) => id === asked)?.approval;
  expect(shown).toMatchObject({ network: true, reason: { code: "needs-network" } });
  expect([shown?.always, shown?.outsideSandbox]).toEqual([undefined, undefined]);
  session().approve(asked);
  await session().idle;
  expect(ran).toEqual([`in: ${BLOCKED}`, "network: npm install"]);
});

it.each<[string, ...ScriptPart[]]>([
  ["another command", run("sh get.sh -v", { outside_sandbox: true })],
  ["the command a second time", again, again],
])("asks for %s", async (_, ...calls) => {
  await start(done, ...calls, done);
  await session().idle;
  await press();
  expect(await asks()).toBe(true);
  expect(ran).toEqual([`in: ${BLOCKED}`, ...calls.slice(1).map(() => `network: ${BLOCKED}`)]);
  await agent.view.stop();
});

it("asks for the command in a later turn, where the agent did not run it in this one", async () => {
  await start(done, done, again, done);
  await session().idle;
  await press();
  await session().idle;
  await agent.view.send("now");
  expect(await asks()).toBe(true);
  await agent.view.stop();
});

it("does not cover a file that the command runs and that changed since", async () => {
  await start(
    done,
    { tool: "write_to_file", params: { path: "get.sh", content: "rm -rf ~\n" } },
    again,
    done,
  );
  await session().idle;
  await press();
  expect(await asks()).toBe(true);
  expect(ran).toEqual([`in: ${BLOCKED}`]);
  await agent.view.stop();
});

it("waits in the queue while the agent works, once", async () => {
  await start(held, again, done);
  await agent.server.waitForHold("middle");
  await press();
  await press();
  expect(session().chatView.queue.map(({ text }) => text)).toEqual([MESSAGE]);
  agent.server.release("middle");
  expect(await asks()).toBe(false);
  expect(ran).toEqual([`in: ${BLOCKED}`, "in: true", `network: ${BLOCKED}`]);
});

it.each<[string, () => Promise<void> | void]>([
  ["removes", () => session().queued.remove(queuedId())],
  ["edits", () => session().queued.edit(queuedId(), "Leave it")],
])("approves nothing if the user %s the message that waits", async (_, change) => {
  await start(held, again, done);
  await agent.server.waitForHold("middle");
  await press();
  await change();
  agent.server.release("middle");
  expect(await asks()).toBe(true);
  await agent.view.stop();
});

it("is not possible in plan mode, in a workspace that is not trusted, or for a command that was not blocked", async () => {
  await start(run("sh get.sh -v", { outside_sandbox: true }), done);
  session().approve(await agent.asked());
  await session().idle;
  expect(await press(agent.calls()[1]?.id)).toBe(false);
  expect(await press("none")).toBe(false);
  await session().setMode("plan");
  expect(await press()).toBe(false);
  await session().setMode("act");
  Object.assign(agent.host.workspace, { trusted: false });
  expect(await press()).toBe(false);
  expect(userRows()).toEqual(["get it"]);
});

it("from an approval, is allowed for the session, whatever the model says of the command", async () => {
  const install = run("npm install");
  await start(run("npm install", { outside_sandbox: true }), done, install, done);
  const asked = await agent.asked();
  const shown = agent.calls().find(({ id }) => id === asked)?.approval;
  expect(shown).toMatchObject({ always: "npm install", outsideSandbox: true });
  session().approve(asked, undefined, { allow: "session" });
  await session().idle;
  await agent.view.send("once more");
  expect(await asks()).toBe(false);
  expect(ran.slice(1)).toEqual(["outside: npm install", "outside: npm install"]);
});

it("works after a restart", async () => {
  await start(done, again, done);
  await session().idle;
  await agent.restart();
  expect(await press()).toBe(true);
  expect(await asks()).toBe(false);
  expect(ran.at(-1)).toBe(`network: ${BLOCKED}`);
});
