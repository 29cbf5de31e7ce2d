/**
 * Tasks that start tasks, paused and killed. `families.test.ts` proves one that runs to its end; `killed.test.ts` and `answer.test.ts`
 * prove the same of one task, and test/unit/core/agent/subtasks of families.
 */
import { on } from "node:events";
import type { Readable } from "node:stream";
import { expect, it } from "vitest";
import type { ScriptTurn } from "../model-server/server.ts";
import {
  done,
  env,
  lastLine,
  left,
  nekode,
  placeOfEachTest,
  project,
  server,
  turns,
} from "./families-place.ts";

placeOfEachTest();

const held = (match: ScriptTurn["match"]) =>
  match?.firstUser === "Look at alpha" && match.request === 2
    ? { answer: [{ hold: "alpha" }, done("Report on alpha.")] }
    : {};

/** Resolves when the stream has said it. */
async function said(stream: Readable | null, text: string): Promise<void> {
  if (!stream) throw new Error("The output is not a pipe");
  let all = "";
  for await (const [part] of on(stream, "data")) {
    all += part;
    if (all.includes(text)) return;
  }
}

it("its questions pause the run and are answered from outside, one by one, by what was shown", async () => {
  // One that reads is still asking the model when the worker has to wait.
  server.setScript({ turns: turns.map(({ match, ...turn }) => ({ match, ...turn, ...held(match) })) });
  const run = project.start(["--json", "do all"], env);
  // From the start, as the question may come before the request that is held.
  const isAsked = said(run.child.stderr, "For the subtask “Make it a dog”");
  await server.waitForHold("alpha");
  await isAsked;
  server.release("alpha");
  const paused = await run.ended;
  expect(paused.code).toBe(4);
  const first = lastLine(paused.stdout);
  expect(paused.stderr).toContain("For the subtask “Make it a dog”");
  expect(await project.read("cat.txt")).toBe("a cat\r\n");
  const asked = await nekode("answer", first.session, "yes", "--shown", first.approval.shown, "--json");
  // The change in the worktree was made; now the project's own is asked about.
  expect(asked.stderr).toContain("+a dog");
  expect(asked.code).toBe(4);
  expect(await project.read("cat.txt")).toBe("a cat\r\n");
  const second = lastLine(asked.stdout);
  const ended = await nekode("answer", first.session, "yes", "--shown", second.approval.shown, "--json");
  expect(ended.code).toBe(0);
  expect(lastLine(ended.stdout)).toMatchObject({ session: first.session, status: "done" });
  expect(await project.read("cat.txt")).toBe("a dog\r\n");
  expect(await left()).toEqual({ branches: 1, trees: 1 });
  // Nothing was asked of the model twice.
  expect(server.requests).toHaveLength(10);
});

it("killed in the middle, it goes on where it was, and nothing is doubled", async () => {
  const held = turns.map((turn) =>
    turn.match?.request === 2 && turn.match.firstUser !== "do all" && "answer" in turn
      ? { ...turn, answer: [{ hold: "reports" }, ...(turn.answer ?? [])] }
      : turn,
  );
  server.setScript({ turns: held });
  const { child, ended } = project.start(["--permission", "edits", "do all"], env);
  await server.waitForRequest(9);
  child.kill("SIGKILL");
  await ended;
  server.setScript({ turns });
  const before = server.requests.length;
  const { code, stdout } = await nekode("--permission", "edits", "--json", "--continue");
  expect(code).toBe(0);
  expect(lastLine(stdout)).toMatchObject({ status: "done", answer: expect.stringContaining("All is done.") });
  expect(await project.read("cat.txt")).toBe("a dog\r\n");
  // One request for each that was cut off, and the last one.
  expect(server.requests.length - before).toBe(5);
  expect((await nekode("--list")).stdout.match(/^ {2}\S+ /gm)).toHaveLength(4);
  expect(await left()).toEqual({ branches: 1, trees: 1 });
});
