/** `nekode review` in a terminal: text, JSON, exit codes. */
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { reviewReportSchema } from "../../src/shared/review.ts";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { Project } from "./support.ts";

let server: ModelServer;
let project: Project;

const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=p", "-c", "user.email=p@example.org", ...args], {
    cwd: project.folder,
  });
const run = (...args: string[]) =>
  project.run(["review", ...args], {
    ...{ NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "k" },
  });

/** \u001b[2J would clear the screen. */
const finding = {
  ...{ path: "a.txt", start_line: 2, line_text: "dog", severity: "nit", confidence: 0.8 },
  ...{ title: "A dog \u001b[2J", body: "It barks.\nAt night.", suggestion: "cat" },
};
const found = {
  match: { firstUser: "Review these changes" },
  answer: [{ tool: "report_findings", params: { findings: [finding] } }],
};
const holds = {
  match: { firstUser: "Check these findings" },
  answer: [
    { tool: "report_verdicts", params: { verdicts: [{ finding: 1, holds: true, reason: "It does." }] } },
  ],
};

beforeEach(async () => {
  server = await startModelServer({ script: { turns: [{ ...found }, { ...holds }] } });
  project = await Project.create({ "a.txt": "cat\n" });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "one");
  await writeFile(path.join(project.folder, "a.txt"), "cat\ndog\n");
});
afterEach(async () => {
  expect(server.refusals).toEqual([]);
  await server.close();
  await project.remove();
});

it("lists findings with their lines, and stores no session", async () => {
  const { code, stdout, stderr } = await run();
  expect(stdout).toContain("a.txt:2  A dog");
  expect(stdout).not.toContain("\u001b");
  expect(stdout).toContain("(Nit, 80%, confirmed)\n    It barks.\n    At night.\n    Suggestion: cat\n");
  expect(stdout).toContain("Findings: 1 (Nit: 1)\nReviewed files: 1\nRequests: 2, cost: ");
  expect(stderr).toContain("Reviewing a.txt\nChecking the findings in a.txt\n");
  expect(code).toBe(0);
  expect((await project.run(["--list"], {})).stdout).toBe("");
});

it("writes JSON, and exits with 5 for what --fail-on names", async () => {
  const report = path.join(project.folder, "report.json");
  const { code, stdout } = await run("--json", "--fail-on", "nit", "--report", report);
  expect(code).toBe(5);
  const written = reviewReportSchema.parse(JSON.parse(stdout));
  expect(written.findings).toMatchObject([{ path: "a.txt", startLine: 2, endLine: 2, side: "new" }]);
  expect(JSON.parse(await readFile(report, "utf8"))).toMatchObject({
    ...{ status: "done", requests: 2, output: written },
    answer: expect.stringContaining("- a.txt:2: **A dog"),
  });
  server.setScript({ turns: [{ ...found }, { ...holds }] });
  expect((await run("--json", "--fail-on", "important")).code).toBe(0);
});

it("says what is wrong with its options, and that there is nothing to review", async () => {
  git("commit", "-qam", "two");
  expect(await run()).toMatchObject({ code: 0, stderr: "nekode: There are no changes to review.\n" });
  expect(await run("--base", "nothing")).toMatchObject({
    ...{ code: 1, stderr: "nekode: There is no commit, branch or tag named nothing.\n" },
  });
  expect((await run("--base", "main", "--staged")).code).toBe(2);
  expect((await run("--permission", "all")).stderr).toContain("does not accept --permission");
  expect((await run("Look at the parser")).code).toBe(2);
  expect((await run("--help")).stdout).toContain("Usage: nekode review");
  expect(server.requests).toEqual([]);
});

it("describes the report to the model, and says what is wrong with one", async () => {
  const broken = { tool: "report_findings", params: { findings: [{ ...finding, start_line: "x" }] } };
  server.setScript({
    turns: [{ match: { request: 1 }, answer: [broken] }, { ...found }, { ...holds }],
  });
  expect((await run()).code).toBe(0);
  const sent = server.requests.map(({ text }) => text);
  expect(sent[0]).toContain("The exact text of the first line, without mark and number.");
  expect(sent[1]).toMatch(/findings\.0\.start_line[^"]*(?:number|NaN)/);
});
