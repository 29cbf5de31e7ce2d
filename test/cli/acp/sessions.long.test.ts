/**
 * More of stored sessions in an editor. `sessions.test.ts` proves that they are listed, loaded, continued, and open in one place at a
 * time.
 */
import { methods } from "@agentclientprotocol/sdk";
import { describe, expect, it } from "vitest";
import { busySession, shortSession } from "./sessions-place.ts";
import { type Stage, stage, stageOfEachTest } from "./stage.ts";

stageOfEachTest({ "neko.txt": "cats\nare fine\n" });

async function pages(agent: Awaited<ReturnType<Stage["editor"]>>["agent"], cwd: string): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | null | undefined; ; ) {
    const page = await agent.request(methods.agent.session.list, { cwd, ...(cursor ? { cursor } : {}) });
    found.push(...page.sessions.map(({ sessionId }) => sessionId));
    cursor = page.nextCursor;
    if (!cursor) return found;
  }
}

describe("a stored session", () => {
  it("resumes without its history", async () => {
    const { id } = await busySession();
    const editor = await stage.editor();
    const cwd = stage.project.folder;
    const resumed = await editor.agent.request(methods.agent.session.resume, { sessionId: id, cwd });
    expect(resumed.modes?.currentModeId).toBe("act");
    stage.model.setScript({ turns: [{ match: { said: "go on" }, answer: [{ text: "Going on." }] }] });
    expect(await editor.prompt(id, "go on")).toEqual({ stopReason: "end_turn" });
    expect(editor.transcript(id)).toMatchObject([{ who: "agent_message_chunk", text: "Going on." }]);
    expect(JSON.stringify(stage.model.requests.at(-1)?.body)).toContain("More cats please");
  });

  it("closes, is released, and can be loaded by another process", async () => {
    const id = await shortSession();
    const { folder } = stage.project;
    const [first, second] = [await stage.editor({ asProcess: true }), await stage.editor()];
    await first.load(id, folder);
    expect(await first.agent.request(methods.agent.session.close, { sessionId: id })).toEqual({});
    await expect(first.prompt(id, "hello")).rejects.toThrow(/is not open/);
    await second.load(id, folder);
  });
});

describe("the list of sessions", () => {
  it("comes in pages, and refuses a cursor that is not its own", async () => {
    const editor = await stage.editor();
    const { folder } = stage.project;
    await expect(
      editor.agent.request(methods.agent.session.list, { cwd: folder, cursor: "elsewhere" }),
    ).rejects.toThrow(/the cursor "elsewhere" is not one of session\/list/);
    stage.model.setScript({ turns: [{ times: true, answer: [{ text: "Yes." }] }] });
    const ids: string[] = [];
    for (let index = 0; index < 3; index++) {
      const id = await editor.open(folder);
      await editor.prompt(id, `Message ${index}`);
      ids.unshift(id);
    }
    const all = await pages(editor.agent, folder);
    expect(all).toEqual(ids);
    // Without a folder: of all projects.
    const everywhere = await editor.agent.request(methods.agent.session.list, {});
    expect(everywhere.sessions.map(({ sessionId, cwd }) => [sessionId, cwd])).toEqual(
      ids.map((id) => [id, folder]),
    );
  });
});
