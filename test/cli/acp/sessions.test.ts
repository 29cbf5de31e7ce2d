/** Stored sessions in an editor: the same as those of the panel and the terminal, also after a crash. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { methods } from "@agentclientprotocol/sdk";
import { describe, expect, it } from "vitest";
import { choose } from "./editor.ts";
import { busySession, DONE, EDIT, shortSession } from "./sessions-place.ts";
import { stage, stageOfEachTest } from "./stage.ts";

const NEKO = "cats\nare fine\n";

stageOfEachTest({ "neko.txt": NEKO });

const neko = () => path.join(stage.project.folder, "neko.txt");

/** What a call was given is not stored. */
function withoutInput(row: unknown): unknown {
  if (typeof row !== "object" || row === null || !("fields" in row)) return row;
  const { rawInput: _, ...fields } = row.fields as Record<string, unknown>;
  return { ...row, fields };
}

describe("a stored session", () => {
  it("is listed, loads with the same rows, and continues where it ended", async () => {
    const { id, rows } = await busySession();
    expect(rows).toMatchObject([
      { who: "agent_thought_chunk", text: "A file." },
      { who: "agent_message_chunk", text: "I edit." },
      { fields: { kind: "edit", status: "completed" } },
      { fields: { kind: "execute", status: "completed" } },
      { who: "agent_message_chunk", text: "All done." },
    ]);
    expect(JSON.stringify(rows[3])).toContain("meow");
    const editor = await stage.editor();
    const { folder } = stage.project;
    const listed = await editor.agent.request(methods.agent.session.list, { cwd: folder });
    expect(listed).toEqual({
      sessions: [
        { sessionId: id, cwd: folder, title: "More cats please", updatedAt: expect.stringMatching(/^20/) },
      ],
    });
    await editor.load(id, folder);
    const [said, ...rest] = editor.transcript(id);
    expect(said).toMatchObject({ who: "user_message_chunk", text: "More cats please" });
    expect(rest).toEqual(rows.map((row) => withoutInput(row)));
    stage.model.setScript({ turns: [{ match: { said: "and dogs" }, answer: [{ text: "Dogs too." }] }] });
    expect(await editor.prompt(id, "and dogs")).toEqual({ stopReason: "end_turn" });
    // The request contains what the first process did.
    expect(JSON.stringify(stage.model.requests.at(-1)?.body)).toContain("More cats please");
  });

  it("is the same in the terminal, both ways, and another process opens it only with --take-over", async () => {
    const text = (said: string, answer: string) => ({ match: { said }, answer: [{ text: answer }] });
    stage.model.setScript({
      turns: [text("hello", "Hello."), text("editor", "Yes."), text("again", "Again.")],
    });
    const env = { NEKODE_BASE_URL: stage.model.url, NEKODE_MODEL: "scripted" };
    const run = (...args: string[]) => stage.project.run([...args, "--protocol", "xml"], env);
    expect((await run("hello")).stdout).toContain("Hello.");
    const editor = await stage.editor({ args: ["--protocol", "xml"], asProcess: true });
    const { folder } = stage.project;
    const listed = await editor.agent.request(methods.agent.session.list, { cwd: folder });
    const id = listed.sessions[0]?.sessionId ?? "";
    await editor.load(id, folder);
    expect(editor.transcript(id)).toMatchObject([{ text: "hello" }, { text: "Hello." }]);
    await editor.prompt(id, "now the editor");
    // While the editor has it, neither the terminal nor another editor takes it.
    expect((await run("--resume", id, "again")).stderr).toContain("open in another window or terminal");
    const second = await stage.editor();
    await expect(second.load(id, folder)).rejects.toThrow(
      /is open in another window or terminal.*--take-over/,
    );
    await editor.agent.request(methods.agent.session.close, { sessionId: id });
    expect((await run("--resume", id, "again")).stdout).toContain("Again.");
    expect(JSON.stringify(stage.model.requests.at(-1)?.body)).toContain("now the editor");
    await editor.load(id, folder);
    const third = await stage.editor({ args: ["--take-over"] });
    await third.load(id, folder);
    expect(third.transcript(id).at(-1)).toMatchObject({ text: "Again." });
  });

  it("of another folder is refused with the name of that folder", async () => {
    const id = await shortSession();
    const editor = await stage.editor();
    await expect(editor.load(id, path.dirname(stage.project.folder))).rejects.toThrow(
      `Session ${id} belongs to another project: ${stage.project.folder}`,
    );
  });

  it("that nobody stored is refused with its id", async () => {
    const editor = await stage.editor();
    await expect(editor.load("no-such-id", stage.project.folder)).rejects.toThrow(/no session no-such-id/);
  });
});

describe("kill -9 of the agent", () => {
  it("while it asks for permission: nothing was written, and the loaded session asks again", async () => {
    stage.model.setScript({ turns: [{ answer: [EDIT] }, DONE] });
    const editor = await stage.editor({ asProcess: true, permit: () => new Promise(() => undefined) });
    const { folder } = stage.project;
    const id = await editor.open(folder);
    const turn = editor.prompt(id, "More cats please").catch((error: unknown) => error);
    await editor.until(() => editor.permissions.length > 0);
    editor.kill("SIGKILL");
    await editor.ended;
    expect(await turn).toBeInstanceOf(Error);
    expect(await readFile(neko(), "utf8")).toBe(NEKO);
    const next = await stage.editor({ permit: (request) => choose(request, "allow_once") });
    await next.load(id, folder);
    expect(next.transcript(id)[0]).toMatchObject({ text: "More cats please" });
    // The same call, by its id, and the turn goes on after the decision.
    await next.until(() => next.transcript(id).some((row) => "text" in row && row.text === "All done."));
    expect(next.permissions[0]?.toolCall.toolCallId).toBe(editor.permissions[0]?.toolCall.toolCallId);
    expect(await readFile(neko(), "utf8")).toBe("many cats\nare fine\n");
  });
});

describe("an editor that closes while it is asked", () => {
  it("decides nothing: the call did not run, and no request follows", async () => {
    stage.model.setScript({ turns: [{ answer: [EDIT] }, DONE] });
    const editor = await stage.editor({ permit: () => new Promise(() => undefined) });
    const { folder } = stage.project;
    const id = await editor.open(folder);
    const turn = editor.prompt(id, "More cats please").catch((error: unknown) => error);
    await editor.until(() => editor.permissions.length > 0);
    expect(await editor.close()).toBe(0);
    expect(await turn).toBeInstanceOf(Error);
    expect(await readFile(neko(), "utf8")).toBe(NEKO);
    expect(stage.model.requests.filter(({ path: at }) => at.includes("chat"))).toHaveLength(1);
    const next = await stage.editor();
    await next.load(id, folder);
    expect(next.transcript(id)).toMatchObject([
      { text: "More cats please" },
      { fields: { status: "failed", content: [{ content: { text: "not run" } }] } },
      { text: expect.stringMatching(/^_This task was interrupted/) },
    ]);
    expect(next.permissions).toEqual([]);
  });
});

describe("two sessions of one folder", () => {
  it("work at the same time, each with its own answers", async () => {
    stage.model.setScript({
      turns: [
        { match: { firstUser: "first" }, answer: [{ text: "One " }, { hold: "first" }, { text: "more." }] },
        { match: { firstUser: "second" }, answer: [{ text: "Two " }, { hold: "second" }, { text: "more." }] },
      ],
    });
    const editor = await stage.editor();
    const { folder } = stage.project;
    const [one, two] = [await editor.open(folder), await editor.open(folder)];
    expect(one).not.toBe(two);
    const turns = [editor.prompt(one, "first"), editor.prompt(two, "second")];
    await Promise.all([stage.model.waitForHold("first"), stage.model.waitForHold("second")]);
    // What the server has sent may not have arrived, and only what has arrived outlives the Cancel.
    await editor.until(() => editor.transcript(one).length > 0);
    await editor.cancel(one);
    stage.model.release("second");
    expect(await Promise.all(turns)).toEqual([{ stopReason: "cancelled" }, { stopReason: "end_turn" }]);
    expect(editor.transcript(one)).toMatchObject([{ text: "One " }]);
    expect(editor.transcript(two)).toMatchObject([{ text: "Two more." }]);
    const listed = await editor.agent.request(methods.agent.session.list, { cwd: folder });
    expect(listed.sessions.map(({ sessionId }) => sessionId).sort()).toEqual([one, two].sort());
  });
});
