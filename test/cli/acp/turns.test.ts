/** A turn in an editor: prompts, permissions, changes, plans, questions, and Cancel. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { methods } from "@agentclientprotocol/sdk";
import { describe, expect, it } from "vitest";
import { isAlive } from "../../support/processes.ts";
import { choose } from "./editor.ts";
import { PATIENT, stage, stageOfEachTest } from "./stage.ts";

const NEKO = "cats\nare fine\n";
const DONE = { answer: [{ tool: "attempt_completion", params: { result: "All done." } }] };

stageOfEachTest({ "neko.txt": NEKO });

const neko = () => path.join(stage.project.folder, "neko.txt");
const EDIT = {
  tool: "replace_in_file",
  params: {
    path: "neko.txt",
    diff: "------- SEARCH\ncats\n=======\nmany cats\n+++++++ REPLACE",
  },
};

describe("a prompt", () => {
  it("whose answer reaches the output limit again and again says so", async () => {
    stage.model.setScript({
      turns: [{ answer: [{ text: "The answer has three" }], finishReason: "length", times: true }],
    });
    const editor = await stage.editor();
    const session = await editor.open(stage.project.folder);
    expect(await editor.prompt(session, "Explain")).toEqual({ stopReason: "max_tokens" });
  });

  it("that is /help, /model or /clear is answered without a request to the model", async () => {
    const editor = await stage.editor();
    const session = await editor.open(stage.project.folder);
    for (const text of ["/help", "/model", "/clear"])
      expect(await editor.prompt(session, text)).toEqual({ stopReason: "end_turn" });
    const said = editor.transcript(session).map((row) => ("text" in row ? row.text : ""));
    expect(said.join("\n")).toContain("`/compact` Condense the conversation into a summary");
    expect(said.join("\n")).toContain("To start a new task, open a new session in your editor.");
    expect(stage.model.requests).toEqual([]);
  });

  it("streams the answer, shows the change, asks, and writes exactly the approved file", async () => {
    stage.model.setScript({
      turns: [{ answer: [{ text: "I will edit the file." }, EDIT] }, DONE],
    });
    const seen: string[] = [];
    const editor = await stage.editor({
      async permit(request) {
        seen.push(await readFile(neko(), "utf8"));
        return choose(request, "allow_once");
      },
    });
    const session = await editor.open(stage.project.folder);
    expect(await editor.prompt(session, "More cats please")).toEqual({ stopReason: "end_turn" });
    // Nothing was written before the decision.
    expect(seen).toEqual([NEKO]);
    expect(await readFile(neko(), "utf8")).toBe("many cats\nare fine\n");
    const [asked] = editor.permissions;
    expect(asked?.toolCall).toMatchObject({
      kind: "edit",
      status: "pending",
      locations: [{ path: neko(), line: 1 }],
    });
    const diff = { type: "diff", path: neko(), oldText: NEKO, newText: "many cats\nare fine\n" };
    expect(asked?.toolCall.content).toContainEqual(diff);
    const rows = editor.transcript(session);
    expect(rows).toMatchObject([
      { who: "agent_message_chunk", text: "I will edit the file." },
      { fields: { status: "completed", kind: "edit", content: expect.arrayContaining([diff]) } },
      { who: "agent_message_chunk", text: "All done." },
    ]);
  });

  it("has reported all changes when it ends, also those that nobody was asked about", async () => {
    const end = { tool: "attempt_completion", params: { result: "All done." } };
    stage.model.setScript({ turns: [{ answer: [EDIT, end] }] });
    const editor = await stage.editor({ args: ["--permission", "edits"], ...PATIENT });
    const session = await editor.open(stage.project.folder);
    await editor.prompt(session, "More cats please");
    const diff = { type: "diff", path: neko(), oldText: NEKO, newText: "many cats\nare fine\n" };
    expect(editor.permissions).toEqual([]);
    expect(editor.transcript(session)).toMatchObject([
      { fields: { status: "completed", content: [diff] } },
      { text: "All done." },
    ]);
  });

  it("leaves the file byte-identical when the user rejects", async () => {
    stage.model.setScript({ turns: [{ answer: [EDIT] }, DONE] });
    const editor = await stage.editor({ permit: (request) => choose(request, "reject_once") });
    const session = await editor.open(stage.project.folder);
    expect(await editor.prompt(session, "More cats please")).toEqual({ stopReason: "end_turn" });
    expect(await readFile(neko(), "utf8")).toBe(NEKO);
    expect(editor.transcript(session)).toMatchObject([
      { fields: { status: "failed" } },
      { text: "All done." },
    ]);
    expect(JSON.stringify(stage.model.chat(2).messages)).toContain("reject");
  });
});

describe("a prompt while another one is answered", () => {
  it("waits for it, and both end with their answers", async () => {
    stage.model.setScript({
      turns: [
        { match: { said: "second" }, answer: [{ text: "Two." }] },
        { match: { said: "first" }, answer: [{ text: "One" }, { hold: "middle" }, { text: " more." }] },
      ],
    });
    const editor = await stage.editor();
    const session = await editor.open(stage.project.folder);
    const first = editor.prompt(session, "first");
    await stage.model.waitForHold("middle");
    const second = editor.prompt(session, "second");
    stage.model.release("middle");
    expect(await Promise.all([first, second])).toEqual([
      { stopReason: "end_turn" },
      { stopReason: "end_turn" },
    ]);
    expect(editor.transcript(session)).toMatchObject([{ text: "One more." }, { text: "Two." }]);
  });
});

describe("a task that continues in a new one", () => {
  it("asks first, and stays the same session for the editor", async () => {
    stage.model.setScript({
      turns: [
        {
          match: { firstUser: "long work" },
          answer: [{ tool: "new_task", params: { context: "Only the rest." } }],
        },
        { match: { firstUser: "Only the rest." }, ...DONE },
        { match: { said: "and then" }, answer: [{ text: "Then nothing." }] },
      ],
    });
    const editor = await stage.editor();
    const session = await editor.open(stage.project.folder);
    expect(await editor.prompt(session, "long work")).toEqual({ stopReason: "end_turn" });
    expect(JSON.stringify(editor.permissions[0]?.toolCall.content)).toContain("Only the rest.");
    expect(editor.transcript(session).at(-1)).toMatchObject({ text: "All done." });
    expect(new Set(editor.updates.map(({ sessionId }) => sessionId))).toEqual(new Set([session]));
    await editor.prompt(session, "and then");
    expect(editor.transcript(session).at(-1)).toMatchObject({ text: "Then nothing." });
  });
});

describe("Cancel", () => {
  it("ends a turn whose model never goes on, and nothing follows", async () => {
    stage.model.setScript({
      turns: [{ answer: [{ text: "It says " }, { hold: "middle" }, { text: "something." }] }],
    });
    const editor = await stage.editor();
    const session = await editor.open(stage.project.folder);
    const turn = editor.prompt(session, "What does it say?");
    await stage.model.waitForHold("middle");
    await editor.cancel(session);
    expect(await turn).toEqual({ stopReason: "cancelled" });
    const updates = editor.updates.length;
    const requests = stage.model.requests.length;
    stage.model.release("middle");
    // The agent answers in order, so what was sent before this answer is here.
    await editor.agent.request(methods.agent.session.list, { cwd: stage.project.folder });
    expect(editor.updates.slice(updates)).toEqual([]);
    expect(stage.model.requests.length).toBe(requests);
  });

  it("ends a command that never ends by itself", async () => {
    const command = "trap '' TERM; echo $$ > pid; echo began $((6 * 7)); while true; do sleep 1; done";
    stage.model.setScript({
      turns: [{ answer: [{ tool: "execute_command", params: { command, requires_approval: true } }] }],
    });
    const editor = await stage.editor();
    const session = await editor.open(stage.project.folder);
    const turn = editor.prompt(session, "Run it");
    const row = () => editor.transcript(session).find((each) => "fields" in each);
    await editor.until(() => JSON.stringify(row() ?? "").includes("began 42"));
    const pid = Number(await stage.project.read("pid"));
    expect(isAlive(pid)).toBe(true);
    await editor.cancel(session);
    expect(await turn).toEqual({ stopReason: "cancelled" });
    expect(row()).toMatchObject({ fields: { status: "failed" } });
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it("withdraws a permission request, and a late answer approves nothing", async () => {
    stage.model.setScript({ turns: [{ answer: [EDIT] }] });
    let answer: () => void = () => undefined;
    const editor = await stage.editor({
      permit: (request) =>
        new Promise((resolve) => {
          answer = () => resolve(choose(request, "allow_once"));
        }),
    });
    const session = await editor.open(stage.project.folder);
    const turn = editor.prompt(session, "More cats please");
    await editor.until(() => editor.permissions.length > 0);
    await editor.cancel(session);
    expect(await turn).toEqual({ stopReason: "cancelled" });
    answer();
    await editor.agent.request(methods.agent.session.list, { cwd: stage.project.folder });
    expect(await readFile(neko(), "utf8")).toBe(NEKO);
  });
});
