/**
 * A task that starts another one, in another editor: its questions are the session's, and Cancel ends both. test/cli/families and
 * acp/asking prove for `npm test` what such tasks do and how an editor is asked.
 */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { choose, type TranscriptRow } from "./editor.ts";
import { Stage } from "./stage.ts";

const CAT = "a cat\r\n";
const DOG = "a dog\r\n";
const OLD = "old\n";
const done = (result: string) => ({ tool: "attempt_completion", params: { result } });

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.create({ "cat.txt": CAT, "old.txt": OLD });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
      cwd: stage.project.folder,
      env: { ...stage.project.environment, GIT_CONFIG_NOSYSTEM: "1" },
    });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "begin");
  setWork([{ tool: "write_to_file", params: { path: "cat.txt", content: DOG } }]);
});
afterEach(() => stage.close());

/** What the started task does. */
function setWork(calls: { tool: string; params: Record<string, string | boolean> }[]): void {
  stage.model.setScript({
    turns: [
      {
        match: { firstUser: "do all", request: 1 },
        answer: [{ tool: "start_task", params: { description: "Make it a dog", kind: "work" } }],
      },
      { match: { firstUser: "do all", request: 2 }, answer: [done("All is done.")] },
      { match: { firstUser: "Make it a dog", request: 1 }, answer: calls },
      { match: { firstUser: "Make it a dog", request: 2 }, answer: [done("It is a dog.")] },
    ],
  });
}

const at = (name: string) => path.join(stage.project.folder, name);
const diff = (name: string, oldText: string | null, newText: string) => ({
  ...{ type: "diff", path: at(name) },
  ...{ oldText, newText },
});

it("asks for the task by its name, and then for its changes as a whole", async () => {
  const seen: string[] = [];
  const editor = await stage.editor({
    async permit(request) {
      seen.push(await stage.project.read("cat.txt"));
      return choose(request, "allow_once");
    },
  });
  const session = await editor.open(stage.project.folder);
  expect(await editor.prompt(session, "do all")).toEqual({ stopReason: "end_turn" });
  expect(editor.permissions.map(({ sessionId }) => sessionId)).toEqual([session, session]);
  const [own, whole] = editor.permissions.map(({ toolCall }) => toolCall);
  expect(JSON.stringify(own)).toContain("For the subtask “Make it a dog”");
  expect(JSON.stringify(whole)).not.toContain("For the task");
  expect(whole?.content?.filter(({ type }) => type === "diff")).toEqual([diff("cat.txt", CAT, DOG)]);
  // Nothing is shown twice.
  expect(JSON.stringify(whole?.content)).not.toContain("+a dog");
  // The project has the changes once they are approved as a whole.
  expect(seen).toEqual([CAT, CAT]);
  expect(await stage.project.read("cat.txt")).toBe(DOG);
  const rows = JSON.stringify(editor.transcript(session));
  expect(rows).toContain("- Wrote cat.txt");
  expect(rows).toContain("All is done.");
});

it("shows each changed file of the whole as a diff, also afterwards and when the session is loaded", async () => {
  setWork([
    { tool: "write_to_file", params: { path: "cat.txt", content: DOG } },
    { tool: "write_to_file", params: { path: "new/dog.txt", content: DOG } },
    { tool: "execute_command", params: { command: "rm old.txt", requires_approval: true } },
  ]);
  const diffs = [diff("cat.txt", CAT, DOG), diff("new/dog.txt", null, DOG), diff("old.txt", OLD, "")];
  const editor = await stage.editor();
  const session = await editor.open(stage.project.folder);
  await editor.prompt(session, "do all");
  const whole = editor.permissions.at(-1)?.toolCall;
  expect(whole?.content?.filter(({ type }) => type === "diff")).toEqual(diffs);
  expect(whole?.locations).toEqual(diffs.map((each) => ({ path: each.path })));
  const row = { call: whole?.toolCallId, fields: { status: "completed" } };
  const shown = (rows: readonly TranscriptRow[]) => {
    const found = rows.find((each) => "call" in each && each.call === row.call);
    expect(found).toMatchObject(row);
    return found && "fields" in found ? found.fields.content : undefined;
  };
  expect(shown(editor.transcript(session))).toEqual(expect.arrayContaining(diffs));
  expect(await editor.close()).toBe(0);
  const other = await stage.editor();
  await other.load(session, stage.project.folder);
  expect(shown(other.transcript(session))).toEqual(expect.arrayContaining(diffs));
});

it("says in words what no diff can show of the whole", async () => {
  const command = "printf '\\377\\376\\0' > cat.bin; chmod +x old.txt; echo new > old.txt";
  setWork([
    { tool: "write_to_file", params: { path: "cat.txt", content: DOG } },
    { tool: "execute_command", params: { command, requires_approval: true } },
  ]);
  const editor = await stage.editor();
  const session = await editor.open(stage.project.folder);
  await editor.prompt(session, "do all");
  const whole = editor.permissions.at(-1)?.toolCall.content ?? [];
  expect(whole.filter(({ type }) => type === "diff")).toEqual([diff("cat.txt", CAT, DOG)]);
  const words = JSON.stringify(whole);
  expect(words).toContain("cat.bin: binary");
  expect(words).toContain("+++ old.txt (executable)");
  expect(words).toContain(JSON.stringify("-old\n+new").slice(1, -1));
});

it("Cancel withdraws the question of the task and ends both", async () => {
  let asked: () => void = () => undefined;
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const editor = await stage.editor({
    permit: (_, signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve({ outcome: { outcome: "cancelled" } }));
        asked();
      }),
  });
  const session = await editor.open(stage.project.folder);
  const prompt = editor.prompt(session, "do all");
  await isAsked;
  const { length } = stage.model.requests;
  await editor.cancel(session);
  expect(await prompt).toEqual({ stopReason: "cancelled" });
  expect(stage.model.requests).toHaveLength(length);
  expect(await stage.project.read("cat.txt")).toBe(CAT);
});
