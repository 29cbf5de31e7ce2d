/** nebula's tools keep their own contracts under both protocols: what they refuse, what they answer, how they are shown. */
import { afterEach, describe, expect, it } from "vitest";
import type { ScriptPart } from "../../../model-server/server.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";
import { underOne } from "../../../support/protocols.ts";

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const DONE: ScriptPart = { tool: "attempt_completion", params: { result: "Done." } };
const lastRequest = () => JSON.stringify(agent.server.requests.at(-1)?.body);
const FILES = { "a.txt": "the cat\n", "sub/b.txt": "a cat (c)\nand a cat\n", "c.txt": "a dog\n" };

describe.each(underOne("xml"))("under %s", (protocol) => {
  async function run(
    tool: string,
    params: Record<string, unknown>,
    edit = true,
  ): Promise<string | undefined> {
    agent = await startAgent({
      protocol,
      files: FILES,
      approval: { read: true, edit },
      script: { turns: [{ answer: [{ tool, params } as ScriptPart] }, { answer: [DONE] }] },
    });
    if (edit) {
      await agent.view.send("do it");
      return (await agent.view.active.idle)?.type;
    }
    const asked = agent.asked();
    await agent.view.send("do it");
    return asked;
  }

  it("writeFile makes a file, folders too", async () => {
    await run("writeFile", { path: "new/deep/x.txt", content: "x\n" });
    expect(agent.files.get("/project/new/deep/x.txt")).toBe("x\n");
    expect(agent.calls()[0]).toMatchObject({
      tool: "write_to_file",
      subject: "new/deep/x.txt",
      state: "done",
    });
  });

  it("writeFile refuses a file that exists", async () => {
    await run("writeFile", { path: "a.txt", content: "x\n" });
    expect(agent.files.get("/project/a.txt")).toBe(FILES["a.txt"]);
    expect(lastRequest()).toContain("writeFile creates a new file, but a.txt exists");
    expect(agent.calls()[0]).toMatchObject({ tool: "write_to_file", state: "failed" });
  });

  it("editFile replaces a file", async () => {
    await run("editFile", { path: "a.txt", new_content: "the dog\n" });
    expect(agent.files.get("/project/a.txt")).toBe("the dog\n");
  });

  it("editFile refuses a file that is missing", async () => {
    await run("editFile", { path: "none.txt", new_content: "x\n" });
    expect(agent.files.has("/project/none.txt")).toBe(false);
    expect(lastRequest()).toContain("editFile replaces a file, but none.txt does not exist");
  });

  it("both ask before they write, and their contracts hold after a restart", async () => {
    const callId = await run("editFile", { path: "a.txt", new_content: "the dog\n" }, false);
    expect(agent.files.get("/project/a.txt")).toBe(FILES["a.txt"]);
    expect(agent.calls()[0]).toMatchObject({ id: callId, tool: "write_to_file", state: "approval" });
    await agent.view.stop();
  });

  it("a contract is kept across a restart", async () => {
    await run("writeFile", { path: "x.txt", content: "x\n" }, false);
    agent.files.set("/project/x.txt", "theirs\n");
    await agent.restart();
    await agent.view.active.idle;
    expect(agent.files.get("/project/x.txt")).toBe("theirs\n");
    // The refusal needs no approval, and is sent when the user goes on.
    await agent.view.active.retry();
    await agent.view.active.idle;
    expect(lastRequest()).toContain("writeFile creates a new file, but x.txt exists");
  });

  it("searchInDirectory answers with the paths that hold the keyword, one a line", async () => {
    await run("searchInDirectory", { directory: ".", keyword: "cat" });
    const [shown] = agent.calls();
    expect(shown).toMatchObject({ tool: "search_files", state: "done" });
    expect(lastRequest()).toMatch(/a\.txt\\nsub\/b\.txt["\\]/);
    expect(lastRequest()).not.toContain("the cat");
  });

  it("searchInDirectory takes the keyword as it is", async () => {
    await run("searchInDirectory", { directory: ".", keyword: "cat (c)" });
    expect(lastRequest()).toContain("sub/b.txt");
    expect(lastRequest()).not.toContain("No file in");
    await agent.close();
    await run("searchInDirectory", { directory: ".", keyword: "horse" });
    expect(lastRequest()).toContain("No file in . contains it.");
  });

  it("readFile and list answer as the tools that they stand for", async () => {
    await run("readFile", { path: "a.txt" });
    expect(lastRequest()).toContain("the cat");
    await agent.close();
    await run("list", { path: ".", recursive: true });
    expect(lastRequest()).toContain("sub/b.txt");
  });
});
