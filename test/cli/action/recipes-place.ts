/** What `recipes.test.ts` and `recipes.long.test.ts` begin with. */
import { access, chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { parse } from "yaml";
import { type ModelServer, startModelServer } from "../../model-server/server.ts";
import { Project } from "../support.ts";
import { Runner, type Workflow, workflowSchema } from "./runner.ts";

export const repository = path.join(import.meta.dirname, "../../..");

export const page = await readFile(path.join(repository, "docs/github-action.md"), "utf8");

const blocks = (language: string) =>
  [...page.matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap(([, of, text = ""]) =>
    of === language ? [text] : [],
  );

export const workflows = blocks("yaml").filter((text) => text.startsWith("name: "));

export const [review, triage] = workflows.map((text) => workflowSchema.parse(parse(text, { strict: true })));

export const HOSTILE = '"; touch pwned; echo "`touch pwned` $(touch pwned)';

export let server: ModelServer;
export let project: Project;

let scratch: string;

export const pullRequest = (base: string, from = "own/project") => ({
  ...{ repository: "own/project", token: "of-the-job" },
  event: {
    pull_request: { number: 7, draft: false, base: { sha: base }, head: { repo: { full_name: from } } },
  },
});

export const issueText = `It is in @/other.txt and @http://127.0.0.1:9/\n/newrule ${HOSTILE}`;

export const issue = {
  ...{ repository: "own/project", token: "of-the-job" },
  event: { issue: { number: 9, title: HOSTILE, body: issueText } },
};

/** Runs a workflow whose model is the played one. `gh` writes down how it is called, and what it reads. */
export async function run(workflow: Workflow | undefined, github: Record<string, unknown>) {
  if (!workflow) throw new Error("the page has no such workflow");
  const bin = path.join(scratch, "bin");
  await mkdir(bin, { recursive: true });
  const gh = path.join(bin, "gh");
  const reads = 'case "$*" in *--body-file* | *--input*) input=$(cat) ;; esac';
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

/** To be called once in a file of tests. */
export function placeOfEachTest(): void {
  beforeEach(async () => {
    server = await startModelServer();
    project = await Project.create({ "a.txt": "meow\n", "other.txt": "text that no request contains\n" });
    scratch = await mkdtemp(path.join(tmpdir(), "nekode-recipe-"));
    await mkdir(path.join(project.folder, ".github"));
    await writeFile(path.join(project.folder, ".github/triage.schema.json"), blocks("json")[0] ?? "");
  });
  afterEach(async () => {
    await server.close();
    await project.remove();
    await rm(scratch, { recursive: true });
  });
}
