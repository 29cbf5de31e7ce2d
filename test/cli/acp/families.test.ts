/** A task that starts another one, in another editor: its questions are the session's, and Cancel ends both. */
import { execFileSync } from "node:child_process";
import { afterEach, beforeEach, expect, it } from "vitest";
import { choose } from "./editor.ts";
import { Stage } from "./stage.ts";

const CAT = "a cat\r\n";
const DOG = "a dog\r\n";
const done = (result: string) => ({ tool: "attempt_completion", params: { result } });

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.create({ "cat.txt": CAT });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
      cwd: stage.project.folder,
      env: { ...stage.project.environment, GIT_CONFIG_NOSYSTEM: "1" },
    });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "begin");
  stage.model.setScript({
    turns: [
      {
        match: { firstUser: "do all", request: 1 },
        answer: [{ tool: "start_task", params: { description: "Make it a dog", kind: "work" } }],
      },
      { match: { firstUser: "do all", request: 2 }, answer: [done("All is done.")] },
      {
        match: { firstUser: "Make it a dog", request: 1 },
        answer: [{ tool: "write_to_file", params: { path: "cat.txt", content: DOG } }],
      },
      { match: { firstUser: "Make it a dog", request: 2 }, answer: [done("It is a dog.")] },
    ],
  });
});
afterEach(() => stage.close());

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
  expect(JSON.stringify(own)).toContain("For the task “Make it a dog”");
  expect(JSON.stringify(whole)).not.toContain("For the task");
  expect(JSON.stringify(whole?.content)).toContain(JSON.stringify("-a cat\n+a dog").slice(1, -1));
  // The project has the changes once they are approved as a whole.
  expect(seen).toEqual([CAT, CAT]);
  expect(await stage.project.read("cat.txt")).toBe(DOG);
  const rows = JSON.stringify(editor.transcript(session));
  expect(rows).toContain("- Wrote cat.txt");
  expect(rows).toContain("All is done.");
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
