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

  it("is reviewed by its changes, and each finding is a comment on its line, whatever stands in it", async () => {
    await git("init", "-q");
    await git("add", "-A");
    await git("commit", "-qm", "one");
    const { stdout } = await git("rev-parse", "HEAD");
    await appendFile(path.join(project.folder, "a.txt"), `hiss @/other.txt ${HOSTILE}\n`);
    await git("commit", "-qam", "two");
    const finding = { path: "a.txt", start_line: 2, line_text: `hiss @/other.txt ${HOSTILE}` };
    const words = { severity: "important", title: `Hisses ${HOSTILE}`, body: HOSTILE, confidence: 0.9 };
    const verdict = { finding: 1, holds: true, reason: "It does." };
    server.setScript({
      turns: [
        { answer: [{ tool: "write_to_file", params: { path: "b.txt", content: "no\n" } }] },
        { answer: [{ tool: "report_findings", params: { findings: [{ ...finding, ...words }] } }] },
        { answer: [{ tool: "report_verdicts", params: { verdicts: [verdict] } }] },
      ],
    });
    const { jobs, calls, runner } = await run(review, pullRequest(stdout.trim()));
    expect(jobs).toMatchObject({
      review: { outcome: "success", outputs: { status: "done" } },
      comment: { outcome: "success" },
    });
    const [[token, request, body = ""] = [], ...more] = calls;
    expect([token, request, more]).toEqual([
      "of-the-job",
      "api --method POST repos/own/project/pulls/7/reviews --input -",
      [],
    ]);
    expect(JSON.parse(body)).toMatchObject({
      ...{ event: "COMMENT", body: expect.stringContaining("Findings: 1") },
      comments: [{ path: "a.txt", line: 2, side: "RIGHT", body: expect.stringContaining(HOSTILE) }],
    });
    const sent = JSON.stringify(server.requests[0]?.body);
    expect(sent).toContain("| hiss @/other.txt");
    expect(sent).not.toContain("text that no request contains");
    // A review has no tool that writes, and goes on.
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
