/**
 * More runs of the workflows in docs/github-action.md. `recipes.test.ts` proves what both must never do, and one run with text that
 * somebody hostile wrote.
 */
import { execFile } from "node:child_process";
import { access, appendFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import {
  HOSTILE,
  issue,
  placeOfEachTest,
  project,
  pullRequest,
  review,
  run,
  server,
  triage,
} from "./recipes-place.ts";

placeOfEachTest();

describe("a pull request", () => {
  const git = (...args: string[]) =>
    promisify(execFile)("git", ["-c", "user.name=A", "-c", "user.email=a@example.com", ...args], {
      cwd: project.folder,
    });

  it("is reviewed by its changes, and the answer is a comment, whatever stands in it", async () => {
    await git("init", "-q");
    await git("add", "-A");
    await git("commit", "-qm", "one");
    const { stdout } = await git("rev-parse", "HEAD");
    await appendFile(path.join(project.folder, "a.txt"), `hiss @/other.txt ${HOSTILE}\n`);
    await git("commit", "-qam", "two");
    const answer = `a.txt, line 2:\n\n${HOSTILE}`;
    server.setScript({
      turns: [
        { answer: [{ tool: "write_to_file", params: { path: "b.txt", content: "no\n" } }] },
        { answer: [{ tool: "plan_mode_respond", params: { response: answer } }] },
      ],
    });
    const { jobs, calls, runner } = await run(review, pullRequest(stdout.trim()));
    expect(jobs).toMatchObject({
      review: { outcome: "success", outputs: { status: "done" } },
      comment: { outcome: "success" },
    });
    expect(calls).toEqual([["of-the-job", "pr comment 7 --body-file -", answer]]);
    const sent = JSON.stringify(server.requests[0]?.body);
    expect(sent).toContain("+hiss @/other.txt");
    expect(sent).not.toContain("text that no request contains");
    // Plan mode refuses, and the review goes on.
    await expect(access(path.join(project.folder, "b.txt"))).rejects.toThrow();
    expect(runner.log).not.toContain("sk-of-the-workflow");
  });
});

describe("an issue", () => {
  it("gets nothing if the answer is none that the schema allows", async () => {
    const output = { label: "security", comment: "x" };
    const wrong = { answer: [{ tool: "plan_mode_respond", params: { response: "A bug.", output } }] };
    server.setScript({ turns: [wrong, wrong, wrong] });
    const { jobs, calls } = await run(triage, issue);
    expect(jobs).toMatchObject({ triage: { outcome: "failure" }, label: { outcome: "skipped" } });
    expect(calls).toEqual([]);
  });
});
