/** A turn in an editor: prompts, permissions, changes, plans, questions, and Cancel. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { methods } from "@agentclientprotocol/sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../../model-server/server.ts";
import { Project } from "../support.ts";
import { choose, Editor, type EditorOptions } from "./editor.ts";

const NEKO = "cats\nare fine\n";
const DONE = { answer: [{ tool: "attempt_completion", params: { result: "All done." } }] };

let model: ModelServer;
let project: Project;
let editors: Editor[];

beforeEach(async () => {
  model = await startModelServer();
  project = await Project.create({ "neko.txt": NEKO });
  editors = [];
});
afterEach(async () => {
  for (const editor of editors) expect(await editor.close()).toBe(0);
  expect(model.refusals).toEqual([]);
  await model.close();
  await project.remove();
});

async function start(options: EditorOptions = {}): Promise<Editor> {
  const env = { NEKODE_BASE_URL: model.url, NEKODE_MODEL: "scripted", ...options.env };
  const editor = await Editor.start(project, { ...options, env });
  editors.push(editor);
  return editor;
}

const neko = () => path.join(project.folder, "neko.txt");
const EDIT = {
  tool: "replace_in_file",
  params: {
    path: "neko.txt",
    diff: "------- SEARCH\ncats\n=======\nmany cats\n+++++++ REPLACE",
  },
};

describe("a prompt", () => {
  it("streams the answer, shows the change, asks, and writes exactly the approved file", async () => {
    model.setScript({
      turns: [{ answer: [{ text: "I will edit the file." }, EDIT] }, DONE],
    });
    const seen: string[] = [];
    const editor = await start({
      async permit(request) {
        seen.push(await readFile(neko(), "utf8"));
        return choose(request, "allow_once");
      },
    });
    const session = await editor.open(project.folder);
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

  it("leaves the file byte-identical when the user rejects", async () => {
    model.setScript({ turns: [{ answer: [EDIT] }, DONE] });
    const editor = await start({ permit: (request) => choose(request, "reject_once") });
    const session = await editor.open(project.folder);
    expect(await editor.prompt(session, "More cats please")).toEqual({ stopReason: "end_turn" });
    expect(await readFile(neko(), "utf8")).toBe(NEKO);
    expect(editor.transcript(session)).toMatchObject([
      { fields: { status: "failed" } },
      { text: "All done." },
    ]);
    expect(JSON.stringify(model.chat(2).messages)).toContain("reject");
  });
});

describe("Cancel", () => {
  it("ends a turn that streams, within two seconds, and nothing follows", async () => {
    model.setScript({
      turns: [{ answer: [{ text: "It says " }, { hold: "middle" }, { text: "something." }] }],
    });
    const editor = await start();
    const session = await editor.open(project.folder);
    const turn = editor.prompt(session, "What does it say?");
    await model.waitForHold("middle");
    const before = Date.now();
    await editor.cancel(session);
    expect(await turn).toEqual({ stopReason: "cancelled" });
    expect(Date.now() - before).toBeLessThan(2_000);
    const updates = editor.updates.length;
    const requests = model.requests.length;
    model.release("middle");
    // The agent answers in order, so what was sent before this answer is here.
    await editor.agent.request(methods.agent.session.list, { cwd: project.folder });
    expect(editor.updates.slice(updates)).toEqual([]);
    expect(model.requests.length).toBe(requests);
  });

  it("withdraws a permission request, and a late answer approves nothing", async () => {
    model.setScript({ turns: [{ answer: [EDIT] }] });
    let answer: () => void = () => undefined;
    const editor = await start({
      permit: (request) =>
        new Promise((resolve) => {
          answer = () => resolve(choose(request, "allow_once"));
        }),
    });
    const session = await editor.open(project.folder);
    const turn = editor.prompt(session, "More cats please");
    await editor.until(() => editor.permissions.length > 0);
    await editor.cancel(session);
    expect(await turn).toEqual({ stopReason: "cancelled" });
    answer();
    await editor.agent.request(methods.agent.session.list, { cwd: project.folder });
    expect(await readFile(neko(), "utf8")).toBe(NEKO);
  });
});
