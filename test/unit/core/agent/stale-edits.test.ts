/** Two tasks that change one file: the second change is refused, and its model learns who was first. */
import { afterEach, expect, it } from "vitest";
import { type Agent, startAgent } from "../../../support/agent.ts";

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const DONE = { tool: "attempt_completion", params: { result: "Done." } };
const read = { tool: "read_file", params: { path: "cats.txt" } };
const replace = (from: string, to: string) => ({
  tool: "replace_in_file",
  params: { path: "cats.txt", diff: `------- SEARCH\n${from}\n=======\n${to}\n+++++++ REPLACE` },
});
const patch = {
  tool: "apply_patch",
  params: { input: "*** Begin Patch\n*** Update File: cats.txt\n@@\n-Mike\n+Miike\n*** End Patch" },
};
const write = { tool: "write_to_file", params: { path: "cats.txt", content: "Tama\nMike\nKuro\n" } };
const remove = { tool: "delete_file", params: { path: "cats.txt" } };

/** The first task changes the file after the second one has read it, which then does `last`. */
async function secondAfterFirst(last: object): Promise<string> {
  agent = await startAgent({
    files: { "cats.txt": "Tama\nMike\n" },
    approval: { read: true, edit: true },
    script: {
      turns: [
        { match: { firstUser: "Name the cat", request: 1 }, answer: [replace("Tama", "Tora"), DONE] },
        { match: { firstUser: "Second task", request: 1 }, answer: [read] },
        { match: { firstUser: "Second task", request: 2 }, answer: [{ hold: "read" }, last] },
        { times: true, answer: [DONE] },
      ] as never,
    },
  });
  const { project, view, server } = agent;
  const other = project.newView();
  await other.send("Second task");
  await server.waitForHold("read");
  await view.send("Name the cat");
  await view.active.idle;
  expect(agent.files.get("/project/cats.txt")).toBe("Tora\nMike\n");
  server.release("read");
  await other.active.idle;
  expect(agent.files.get("/project/cats.txt")).toBe("Tora\nMike\n");
  await other.dispose();
  return JSON.stringify(server.chat(server.requests.length).messages.at(-1));
}

it.each([
  ["an edit that would fit", replace("Mike", "Miike"), "Nothing was changed. Read it again, then edit it."],
  ["a patch that would fit", patch, "Nothing was changed. Read it again, then edit it."],
  ["new content", write, "Read it again, then write."],
  ["a deletion", remove, "Read it again, then delete it."],
])("%s is refused, and says who changed the file", async (_, last, advice) => {
  const reply = await secondAfterFirst(last);
  expect(reply).toContain(
    `cats.txt was changed by the other task “Name the cat” since you read it. ${advice}`,
  );
});

it("a change that waited for approval says so too", async () => {
  agent = await startAgent({
    files: { "cats.txt": "Tama\nMike\n" },
    approval: { read: true },
    script: {
      turns: [
        { match: { firstUser: "First task", request: 1 }, answer: [replace("Tama", "Tora")] },
        { match: { firstUser: "Second task", request: 1 }, answer: [replace("Mike", "Miike")] },
        { times: true, answer: [DONE] },
      ] as never,
    },
  });
  const { project, view, server } = agent;
  const other = project.newView();
  await view.send("First task");
  const first = await agent.asked();
  await other.send("Second task");
  if (other.active.approvals.first === undefined)
    await agent.until((event) => event.type === "approval" && event.session === other.active.id);
  const second = other.active.approvals.first ?? "";
  expect(view.active.approve(first)).toBe(true);
  await view.active.idle;
  expect(other.active.approve(second)).toBe(true);
  await other.active.idle;
  expect(agent.files.get("/project/cats.txt")).toBe("Tora\nMike\n");
  expect(JSON.stringify(server.chat(server.requests.length).messages.at(-1))).toContain(
    "It was changed by the other task “First task”.",
  );
  await other.dispose();
});

it("its own changes, and those of the user, do not make a task's edit stale", async () => {
  agent = await startAgent({
    files: { "cats.txt": "Tama\nMike\n" },
    approval: { read: true, edit: true },
    script: {
      turns: [
        { answer: [read] },
        { answer: [replace("Tama", "Tora")] },
        { answer: [{ hold: "user" }, replace("Mike", "Miike")] },
        { answer: [DONE] },
      ] as never,
    },
  });
  await agent.view.send("Edit");
  await agent.server.waitForHold("user");
  agent.files.set("/project/cats.txt", "Tora\nMike\nKuro\n");
  agent.server.release("user");
  await agent.view.active.idle;
  expect(agent.files.get("/project/cats.txt")).toBe("Tora\nMiike\nKuro\n");
});
