/** The workflows in docs/github-action.md: what they must never do, and what they do with text that somebody hostile wrote. */
import { execFile } from "node:child_process";
import { access, appendFile, chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type ModelServer, startModelServer } from "../../model-server/server.ts";
import { Project } from "../support.ts";
import { Runner, readAction, type Workflow, workflowSchema } from "./runner.ts";

const repository = path.join(import.meta.dirname, "../../..");
const page = await readFile(path.join(repository, "docs/github-action.md"), "utf8");
const blocks = (language: string) =>
  [...page.matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap(([, of, text = ""]) =>
    of === language ? [text] : [],
  );
const workflows = blocks("yaml").filter((text) => text.startsWith("name: "));
const [review, triage] = workflows.map((text) => workflowSchema.parse(parse(text, { strict: true })));
const HOSTILE = '"; touch pwned; echo "`touch pwned` $(touch pwned)';

let server: ModelServer;
let project: Project;
let scratch: string;

beforeEach(async () => {
  server = await startModelServer();
  project = await Project.create({ "a.txt": "meow\n", "other.txt": "text that no request contains\n" });
  scratch = await mkdtemp(path.join(tmpdir(), "nekode-recipe-"));
});
afterEach(async () => {
  await server.close();
  await project.remove();
  await rm(scratch, { recursive: true });
});

/** Runs a workflow whose model is the played one. `gh` writes down how it is called, and what it reads. */
async function run(workflow: Workflow | undefined, github: Record<string, unknown>) {
  if (!workflow) throw new Error("the page has no such workflow");
  const bin = path.join(scratch, "bin");
  await mkdir(bin, { recursive: true });
  const gh = path.join(bin, "gh");
  const reads = 'case "$*" in *--body-file*) input=$(cat) ;; esac';
  const script = `#!/bin/bash\n${reads}\nprintf '%s\\0' "$GH_TOKEN" "$*" "$input" >> "$0.asked"\n`;
  await writeFile(gh, script);
  await chmod(gh, 0o755);
  // The example's endpoint is the maker's.
  for (const { steps } of Object.values(workflow.jobs))
    for (const { with: inputs } of steps)
      if (inputs["base-url"] !== undefined) inputs["base-url"] = server.url;
  const { PATH, XDG_CACHE_HOME = "" } = project.environment;
  const runner = new Runner({
    ...{ scratch, workspace: project.folder, actionFolder: repository, github },
    env: { PATH: `${bin}:${PATH}`, HOME: scratch, XDG_CACHE_HOME, LANG: "C.UTF-8" },
    secrets: { NEKODE_API_KEY: "sk-of-the-workflow" },
    others: { "actions/checkout": async () => undefined },
  });
  const jobs = await runner.workflow(workflow);
  const asked = await readFile(`${gh}.asked`, "utf8").catch(() => "");
  const calls = asked.split("\0").slice(0, -1);
  await expect(access(path.join(project.folder, "pwned"))).rejects.toThrow();
  return { jobs, runner, calls: calls.flatMap((_, at) => (at % 3 === 0 ? [calls.slice(at, at + 3)] : [])) };
}

describe.each([
  ["review", review],
  ["triage", triage],
] as const)("the recipe for %s", (_, workflow) => {
  const jobs = Object.values(workflow?.jobs ?? {});

  it("begins only where a stranger's branch has no secrets", () => {
    expect(Object.keys(workflow?.on ?? {})).toEqual([expect.stringMatching(/^(?:pull_request|issues)$/)]);
  });

  it("has no expression in a script", () => {
    const scripts = jobs.flatMap(({ steps }) => steps.flatMap(({ run: script }) => script ?? []));
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) expect(script).not.toContain("${{");
  });

  it("gives the job with the model reading alone, and the key to no other", () => {
    expect(workflow?.permissions).toEqual({});
    for (const { permissions, steps } of jobs) {
      const agent = steps.find(({ uses = "" }) => uses.startsWith("OWNER/nekode@"));
      if (!agent) {
        expect(JSON.stringify(steps)).not.toContain("secrets.");
        continue;
      }
      expect(permissions).toEqual({ contents: "read" });
      expect(JSON.stringify(steps)).not.toContain("github.token");
      expect(agent.with.mode).toBe("plan");
      // Mentions and commands apply in a task.
      expect(agent.with.task).not.toContain("${{");
      const checkout = steps.find(({ uses = "" }) => uses.startsWith("actions/checkout@"));
      expect(checkout?.with["persist-credentials"]).toBe("false");
    }
  });
});

it("the page names every input and output of the action", async () => {
  expect(workflows).toHaveLength(2);
  const { inputs, outputs } = await readAction(repository);
  for (const name of [...Object.keys(inputs), ...Object.keys(outputs)]) expect(page).toContain(`\`${name}`);
});

describe("a pull request", () => {
  const git = (...args: string[]) =>
    promisify(execFile)("git", ["-c", "user.name=A", "-c", "user.email=a@example.com", ...args], {
      cwd: project.folder,
    });
  const event = (base: string, from = "own/project") => ({
    ...{ repository: "own/project", token: "of-the-job" },
    event: {
      pull_request: { number: 7, draft: false, base: { sha: base }, head: { repo: { full_name: from } } },
    },
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
    const { jobs, calls, runner } = await run(review, event(stdout.trim()));
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

  it("of a fork is not", async () => {
    const { jobs, calls } = await run(review, event("0", "stranger/project"));
    expect(jobs).toMatchObject({ review: { outcome: "skipped" }, comment: { outcome: "skipped" } });
    expect([calls, server.requests]).toEqual([[], []]);
  });
});

describe("an issue", () => {
  const body = `It is in @/other.txt and @http://127.0.0.1:9/\n/newrule ${HOSTILE}`;
  const github = {
    ...{ repository: "own/project", token: "of-the-job" },
    event: { issue: { number: 9, title: HOSTILE, body } },
  };

  beforeEach(async () => {
    await mkdir(path.join(project.folder, ".github"));
    await writeFile(path.join(project.folder, ".github/triage.schema.json"), blocks("json")[0] ?? "");
  });

  it("gets a label and a comment; its text is data everywhere", async () => {
    const output = { label: "bug", comment: `See a.txt. ${HOSTILE}` };
    server.setScript({
      turns: [{ answer: [{ tool: "plan_mode_respond", params: { response: "A bug.", output } }] }],
    });
    const { jobs, calls } = await run(triage, github);
    expect(jobs).toMatchObject({ triage: { outcome: "success" }, label: { outcome: "success" } });
    expect(calls).toEqual([
      ["of-the-job", "issue edit 9 --add-label bug", ""],
      ["of-the-job", "issue comment 9 --body-file -", output.comment],
    ]);
    const sent = JSON.stringify(server.requests[0]?.body);
    expect(sent).toContain(JSON.stringify(`${HOSTILE}\n\n${body}`).slice(1, -1));
    expect(sent).not.toContain("text that no request contains");
  });

  it("gets nothing if the answer is none that the schema allows", async () => {
    const output = { label: "security", comment: "x" };
    const wrong = { answer: [{ tool: "plan_mode_respond", params: { response: "A bug.", output } }] };
    server.setScript({ turns: [wrong, wrong, wrong] });
    const { jobs, calls } = await run(triage, github);
    expect(jobs).toMatchObject({ triage: { outcome: "failure" }, label: { outcome: "skipped" } });
    expect(calls).toEqual([]);
  });
});
