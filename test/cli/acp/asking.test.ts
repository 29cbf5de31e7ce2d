/** What an editor asks the user: permissions that last, questions of the agent, forms of MCP servers; and parts of a prompt. */
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { methods } from "@agentclientprotocol/sdk";
import { describe, expect, it } from "vitest";
import { isAlive } from "../../support/processes.ts";
import { call, command, DONE, FORMS, server } from "./asking-place.ts";
import { choose } from "./editor.ts";
import { stage, stageOfEachTest } from "./stage.ts";

stageOfEachTest({ "neko.txt": "cats\n" });

/** A PNG of one pixel. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

describe("a permission that lasts", () => {
  it("is offered with what it stores, for as long as the user says", async () => {
    stage.model.setScript({ turns: [command("touch a.txt"), command("touch a.txt"), DONE] });
    const editor = await stage.editor({ permit: (request) => choose(request, "allow_always") });
    const session = await editor.open(stage.project.folder);
    await editor.prompt(session, "touch them");
    expect(editor.permissions).toHaveLength(1);
    const kinds = editor.permissions[0]?.options.map(({ kind, name }) => `${kind}: ${name}`);
    expect(kinds).toEqual([
      "allow_once: Allow",
      "allow_always: Allow touch a.txt in this session",
      "allow_always: Allow touch a.txt in this project",
      "allow_always: Always allow touch a.txt",
      "reject_once: Reject",
      "reject_always: Reject touch a.txt in this session",
    ]);
    expect(await stage.project.read("a.txt")).toBe("");
    // The narrowest scope is the first: another session asks again.
    const other = await editor.open(stage.project.folder);
    stage.model.setScript({ turns: [command("touch a.txt"), DONE] });
    await editor.prompt(other, "another one");
    expect(editor.permissions).toHaveLength(2);
  });

  it("is not offered where the approval offers none", async () => {
    stage.model.setScript({
      turns: [{ answer: [{ tool: "write_to_file", params: { path: "new.txt", content: "new\n" } }] }, DONE],
    });
    const editor = await stage.editor();
    await editor.prompt(await editor.open(stage.project.folder), "write it");
    expect(editor.permissions[0]?.options.map(({ kind }) => kind)).toEqual(["allow_once", "reject_once"]);
  });

  it("can be a rejection: the same command does not ask again, and does not run", async () => {
    stage.model.setScript({ turns: [command("touch a.txt"), command("touch a.txt"), DONE] });
    const editor = await stage.editor({ permit: (request) => choose(request, "reject_always") });
    const session = await editor.open(stage.project.folder);
    await editor.prompt(session, "touch them");
    expect(editor.permissions).toHaveLength(1);
    expect(editor.transcript(session)).toMatchObject([
      { fields: { status: "failed" } },
      { fields: { status: "failed" } },
      { text: "All done." },
    ]);
    await expect(stage.project.read("a.txt")).rejects.toThrow(/ENOENT/);
  });
});

describe("the output of a command", () => {
  it("is reported while it runs and at its end", async () => {
    stage.model.setScript({
      turns: [
        command("printf '\\033[31m%s\\033[0m\\n' $((20 + 1)); read line < gate; echo $((40 + 2)); exit 3"),
        DONE,
      ],
    });
    const editor = await stage.editor();
    const session = await editor.open(stage.project.folder);
    const fifo = path.join(stage.project.folder, "gate");
    execFileSync("mkfifo", [fifo]);
    const turn = editor.prompt(session, "run it");
    const row = () => editor.transcript(session).find((each) => "fields" in each);
    await editor.until(() => JSON.stringify(row() ?? "").includes("\\n21\\n"));
    expect(row()).toMatchObject({ fields: { status: "in_progress", kind: "execute" } });
    await writeFile(fifo, "go\n");
    await turn;
    const [shown] = [JSON.stringify(row())];
    expect(shown).toContain("21\\n42");
    expect(shown).toContain("exit code 3");
  });
});

describe("a question of the agent", () => {
  const ask = {
    answer: [
      {
        tool: "ask_followup_question",
        params: { question: "Which cat?", options: JSON.stringify(["Tama", "Mike"]) },
      },
    ],
  };

  it("is a form where the editor has forms, and the turn continues with the answer", async () => {
    stage.model.setScript({ turns: [ask, { match: { anyMessage: "Mike, please" }, ...DONE }] });
    const editor = await stage.editor({
      capabilities: FORMS,
      elicit: () => ({ action: "accept", content: { choice: "Tama", text: "Mike, please" } }),
    });
    const session = await editor.open(stage.project.folder);
    expect(await editor.prompt(session, "Find the cat")).toEqual({ stopReason: "end_turn" });
    expect(editor.elicitations).toMatchObject([
      {
        mode: "form",
        sessionId: session,
        message: "Which cat?",
        requestedSchema: { properties: { choice: { type: "string", enum: ["Tama", "Mike"] } } },
      },
    ]);
    expect(editor.transcript(session)).toMatchObject([{ text: "Which cat?" }, { text: "All done." }]);
  });

  it("is text elsewhere, and the next prompt answers it", async () => {
    stage.model.setScript({ turns: [ask, { match: { anyMessage: "The second" }, ...DONE }] });
    const editor = await stage.editor();
    const session = await editor.open(stage.project.folder);
    await editor.prompt(session, "Find the cat");
    expect(editor.transcript(session)).toMatchObject([{ text: "Which cat?\n\n1. Tama\n2. Mike" }]);
    await editor.prompt(session, "The second");
    expect(editor.transcript(session).at(-1)).toMatchObject({ text: "All done." });
  });
});

describe("an MCP server that the editor passes", () => {
  it("runs for that session alone, asks, and ends with it", async () => {
    stage.model.setScript({ turns: [call("echo"), DONE] });
    const editor = await stage.editor({ args: ["--protocol", "xml"] });
    const pids = path.join(stage.project.dataDir, "..", "pids");
    const session = await editor.open(stage.project.folder, [server(pids)]);
    await editor.prompt(session, "call it");
    expect(editor.permissions[0]?.toolCall.rawInput).toMatchObject({ name: "My-server", tool: "echo" });
    expect(JSON.stringify(stage.model.chat(2).messages)).toContain('{\\"a\\":1}');
    const started = (await readFile(pids, "utf8")).trim().split("\n").map(Number);
    expect(started).toHaveLength(1);
    await editor.agent.request(methods.agent.session.close, { sessionId: session });
    await expect.poll(() => started.filter(isAlive)).toEqual([]);
    // Nothing of it is kept in the configuration.
    const other = await editor.open(stage.project.folder);
    stage.model.setScript({ turns: [call("echo"), DONE] });
    await editor.prompt(other, "call it again");
    expect((await readFile(pids, "utf8")).trim().split("\n")).toHaveLength(1);
  });

  it("needs a name that can be used", async () => {
    const editor = await stage.editor();
    const nameless = { ...server("x"), name: "///" };
    await expect(editor.open(stage.project.folder, [nameless])).rejects.toThrow(/has no usable characters/);
  });
});

describe("the parts of a prompt", () => {
  it("are images, files as mentions, and texts that are not on disk", async () => {
    stage.model.setScript({ turns: [{ answer: [{ text: "I see." }] }] });
    const editor = await stage.editor();
    const sessionId = await editor.open(stage.project.folder);
    const uri = pathToFileURL(path.join(stage.project.folder, "neko.txt")).href;
    await editor.agent.request(methods.agent.session.prompt, {
      sessionId,
      prompt: [
        { type: "text", text: "Compare" },
        { type: "resource_link", uri, name: "neko.txt" },
        { type: "resource", resource: { uri: `${uri}#L1:1`, text: "unsaved cats" } },
        { type: "image", mimeType: "image/jpeg", data: PIXEL },
      ],
    });
    const body = JSON.stringify(stage.model.chat(1).messages);
    expect(body).toContain("Compare 'neko.txt' (see below for file content)");
    expect(body).toContain('<file_content path=\\"neko.txt\\">\\ncats');
    expect(body).toContain('<file_content path=\\"neko.txt\\" lines=\\"1-1\\">\\nunsaved cats');
    expect(body).toContain(`data:image/png;base64,${PIXEL}`);
    // The image is part of the history.
    const { folder } = stage.project;
    await editor.agent.request(methods.agent.session.close, { sessionId });
    editor.updates.length = 0;
    await editor.load(sessionId, folder);
    expect(editor.of(sessionId, "user_message_chunk")).toMatchObject([
      { content: { type: "text" } },
      { content: { type: "image", mimeType: "image/png", data: PIXEL } },
    ]);
  });

  it("are refused where they cannot be sent", async () => {
    const editor = await stage.editor();
    const sessionId = await editor.open(stage.project.folder);
    const send = (block: Parameters<typeof editor.agent.request>[1]) =>
      editor.agent.request("session/prompt", { sessionId, prompt: [block] });
    await expect(send({ type: "image", mimeType: "image/png", data: "no" })).rejects.toThrow(
      "the data of an image must be Base64",
    );
    await expect(send({ type: "image", mimeType: "image/png", data: "AAAA" })).rejects.toThrow(
      "an image must be a PNG, JPEG, GIF or WebP",
    );
    await expect(send({ type: "audio", mimeType: "audio/wav", data: "AAAA" })).rejects.toThrow(
      "audio is not supported",
    );
    await expect(send({ type: "text", text: " " })).rejects.toThrow("the prompt is empty");
    expect(stage.model.requests.filter(({ path: at }) => at.includes("chat"))).toEqual([]);
  });
});
