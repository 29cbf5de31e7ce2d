/** Of an edit, exactly the hunks that the user takes are written, and the model learns which it did not get. */
import { afterEach, describe, expect, it } from "vitest";
import type { ScriptPart } from "../../../model-server/server.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";

let agent: Agent;

afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const before = "one\r\ntwo\nthree\nfour\nfive\n";
const block = (from: string, to: string) => `------- SEARCH\n${from}\n=======\n${to}\n+++++++ REPLACE\n`;
const edit: ScriptPart = {
  tool: "replace_in_file",
  params: { path: "a.txt", diff: block("two", "TWO") + block("five", "FIVE\nSIX") },
};
const patch: ScriptPart = {
  tool: "apply_patch",
  params: {
    input:
      "*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+TWO\n three\n four\n-five\n+FIVE\n+SIX\n*** End Patch",
  },
};

async function asked(...answers: ScriptPart[]): Promise<string> {
  agent = await startAgent({
    script: {
      scope: "server",
      turns: [...answers, { text: "Done." }].map((answer) => ({ times: 1, answer: [answer] })),
    },
    files: { "a.txt": before },
  });
  const waiting = agent.asked();
  await agent.view.send("change it");
  return waiting;
}
const file = () => agent.files.get("/project/a.txt");
const told = () => JSON.stringify(agent.server.chat(agent.server.requests.length).messages);

describe.each([
  ["replace_in_file", edit],
  ["apply_patch, of one file", patch],
])("%s", (_name, call) => {
  it("shows its hunks, writes those that are taken and no other, and the model is told", async () => {
    const id = await asked(call);
    expect(agent.calls()[0]?.approval?.hunks).toEqual({
      shown: [
        { line: 2, removed: ["two"], added: ["TWO"] },
        { line: 5, removed: ["five"], added: ["FIVE", "SIX"] },
      ],
      more: 0,
    });
    agent.view.active.approve(id, undefined, { left: [0] });
    await agent.view.active.idle;
    expect(file()).toBe("one\r\ntwo\nthree\nfour\nFIVE\nSIX\n");
    expect(told()).toContain("the user changed your proposal");
    expect(told()).toContain("-TWO\\n+two");
    expect(agent.calls()[0]?.shown).toMatchObject({ added: 2, removed: 1 });
  });

  it("with none taken, writes nothing", async () => {
    const id = await asked(call);
    agent.view.active.approve(id, undefined, { left: [0, 1] });
    await agent.view.active.idle;
    expect(file()).toBe(before);
    expect(told()).toContain("took none of the changes");
  });
});

it("all taken is the proposal, and nothing is said about it", async () => {
  const id = await asked(edit);
  agent.view.active.approve(id, undefined, { left: [] });
  await agent.view.active.idle;
  expect(file()).toBe("one\r\nTWO\nthree\nfour\nFIVE\nSIX\n");
  expect(told()).not.toContain("Before approving");
});

it("identical content is no failure, and an edit that does not fit is marked as refused", async () => {
  const wrong: ScriptPart = {
    tool: "replace_in_file",
    params: { path: "a.txt", diff: block("zwei", "TWO") },
  };
  const same: ScriptPart = { tool: "write_to_file", params: { path: "a.txt", content: before } };
  const id = await asked(wrong, same, edit);
  expect(agent.calls().map(({ state, shown }) => [state, shown?.note])).toEqual([
    ["failed", "refused"],
    ["done", "unchanged"],
    ["approval", undefined],
  ]);
  agent.view.active.reject(id);
  await agent.view.active.idle;
  expect(file()).toBe(before);
});
