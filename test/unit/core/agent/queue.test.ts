/** The queue of a session: what the user can do with messages that wait. */
import { afterEach, describe, expect, it } from "vitest";
import type { ScriptPart } from "../../../model-server/server.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";
import { underOne } from "../../../support/protocols.ts";

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const read: ScriptPart = { tool: "read_file", params: { path: "a.txt" } };
const queued = () => agent.view.active.chatView.queue.map(({ text }) => text);
const idOf = (text: string) => agent.view.active.chatView.queue.find((item) => item.text === text)?.id ?? "";
/** The texts of the newest message of a request. */
const newest = (request: number) => JSON.stringify(agent.server.chat(request).messages.at(-1));

describe.each(underOne("native"))("messages that wait, under %s", (protocol) => {
  /** A task whose first answer stops in its middle, with three messages queued. */
  async function start(first: ScriptPart[]): Promise<void> {
    agent = await startAgent({
      script: { scope: "server", turns: [{ answer: first }, { times: true, answer: [{ text: "Done." }] }] },
      protocol,
      files: { "a.txt": "content of a\n" },
    });
    await agent.view.send("begin");
    await agent.server.waitForHold("middle");
    for (const text of ["one", "two", "three"]) await agent.view.send(text);
  }

  it("are edited, reordered and removed, and read in that order after the running step", async () => {
    await start([{ text: "Reading." }, { hold: "middle" }, read]);
    agent.view.active.queued.move(idOf("three"), 0);
    expect(queued()).toEqual(["three", "one", "two"]);
    agent.view.active.queued.move(idOf("three"), 99);
    expect(queued()).toEqual(["one", "two", "three"]);
    await agent.view.active.queued.edit(idOf("two"), "two and a half");
    await agent.view.active.queued.edit(idOf("one"), " ");
    await agent.view.active.queued.edit("gone", "never");
    agent.view.active.queued.move("gone", 0);
    expect(queued()).toEqual(["two and a half", "three"]);
    agent.server.release("middle");
    await agent.view.active.idle;
    expect(newest(2)).toMatch(/two and a half.*three/s);
    expect(JSON.stringify(agent.server.chat(2).messages)).toContain("content of a");
    expect(queued()).toEqual([]);
  });

  it("one that is sent now ends the answer, and is read before the next request", async () => {
    await start([{ text: "I am going to say a lot.\n\nAnd" }, { hold: "middle" }, read]);
    const isReceived = () => agent.rows().some((row) => row.kind === "text" && row.text.includes("a lot"));
    if (!isReceived()) await agent.until(isReceived);
    await agent.view.active.queued.sendNow(idOf("two"));
    expect((await agent.view.active.idle)?.type).toBe("replied");
    expect(agent.server.requests).toHaveLength(2);
    expect(newest(2)).toMatch(/before it was complete.*two.*one.*three/s);
    expect(newest(2)).not.toContain("Continue from there");
    const said = agent.rows().flatMap((row) => (row.kind === "text" ? [row.text] : []));
    expect(said.join()).toContain("I am going to say a lot.");
    // Nothing of the answer that was cut off ran.
    expect(JSON.stringify(agent.server.chat(2).messages)).not.toContain("content of a");
  });

  it("one that is sent now before anything arrived is read with the message before it", async () => {
    await start([{ hold: "middle" }, { text: "Late." }]);
    await agent.view.active.queued.sendNow(idOf("one"));
    expect((await agent.view.active.idle)?.type).toBe("replied");
    expect(newest(2)).toMatch(/one.*two.*three/s);
  });

  it("one that is sent now starts a turn if the agent has stopped", async () => {
    await start([{ text: "So. " }, { hold: "middle" }, read]);
    await agent.view.stop();
    expect(queued()).toEqual(["one", "two", "three"]);
    await agent.view.active.queued.sendNow(idOf("three"));
    await agent.view.active.idle;
    expect(newest(2)).toMatch(/three.*one.*two/s);
    expect(queued()).toEqual([]);
  });
});

it("one that is sent now does not answer a call that waits for approval", async () => {
  const command = { command: "sleep 100", requires_approval: false };
  agent = await startAgent({
    script: {
      scope: "server",
      turns: [
        { answer: [{ tool: "execute_command", params: command }] },
        { times: true, answer: [{ text: "Done." }] },
      ],
    },
    protocol: "native",
  });
  const asked = agent.asked();
  await agent.view.send("begin");
  const callId = await asked;
  await agent.view.send("instead");
  // It waits for the approval: that is not answered by a message.
  await agent.view.active.queued.sendNow(idOf("instead"));
  expect(agent.view.active.approvals.first).toBe(callId);
  agent.view.active.reject(callId);
  await agent.view.active.idle;
  expect(JSON.stringify(agent.server.chat(2).messages)).toContain("instead");
});

it("one that is sent now moves the running command to the background, and is in the next request", async () => {
  const command = { command: "sleep 100", requires_approval: false };
  agent = await startAgent({
    script: {
      scope: "server",
      turns: [
        { answer: [{ tool: "execute_command", params: command }] },
        { times: true, answer: [{ text: "Done." }] },
      ],
    },
    protocol: "native",
  });
  let isMoved = false;
  const runs = new Promise<void>((started) => {
    // As shells do: the command ends only when it is stopped, and the call when it is moved.
    agent.host.shell.run = (_, { moveToBackground }) =>
      new Promise((resolve) => {
        moveToBackground?.addEventListener("abort", () => {
          isMoved = true;
          resolve({ exitCode: null, signal: null, durationMs: 5, backgroundId: "7" });
        });
        started();
      });
  });
  const asked = agent.asked();
  await agent.view.send("begin");
  agent.view.active.approve(await asked);
  await runs;
  await agent.view.send("later");
  await agent.view.send("meanwhile");
  expect(queued()).toEqual(["later", "meanwhile"]);
  expect(isMoved).toBe(false);
  await agent.view.active.queued.sendNow(idOf("meanwhile"));
  expect((await agent.view.active.idle)?.type).toBe("replied");
  expect(isMoved).toBe(true);
  expect(agent.server.requests).toHaveLength(2);
  expect(newest(2)).toMatch(/meanwhile.*later/s);
  expect(JSON.stringify(agent.server.chat(2).messages)).toMatch(/background/);
  expect(queued()).toEqual([]);
});
