/** What `replay.test.ts` and `replay.long.test.ts` begin with. */
import { execFileSync } from "node:child_process";
import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { type ReplayReport, replayReportSchema } from "../../src/shared/run/replay-report.ts";
import { type ModelServer, type Script, startModelServer } from "../model-server/server.ts";
import { type Ended, Project } from "./support.ts";

export const DONE = { tool: "attempt_completion", params: { result: "Done." } };

export const edit = (before: string, after: string) => ({
  tool: "replace_in_file",
  params: { path: "a.txt", diff: `------- SEARCH\n${before}\n=======\n${after}\n+++++++ REPLACE` },
});

const MARK = "echo ran >> ran.log; echo out";

const SCRIPT: Script = {
  turns: [
    { answer: [{ reasoning: "Look first." }, { tool: "read_file", params: { path: "a.txt" } }] },
    {
      answer: [edit("one", "two"), { tool: "write_to_file", params: { path: "new/b.txt", content: "b\n" } }],
    },
    { answer: [{ tool: "execute_command", params: { command: MARK, requires_approval: false } }] },
    { answer: [DONE] },
    { answer: [{ text: "It is two now." }] },
  ],
};

export let server: ModelServer;
export let project: Project;
export let env: Record<string, string>;

/** For temporary files of this test's programs alone: other suites replay sessions at the same time. */
let scratch: string;

export const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.org", ...args], {
    cwd: project.folder,
    encoding: "utf8",
  });

/** Of one turn; `again`: of two. */
export async function record({ again = false, args = [] as string[] } = {}): Promise<string> {
  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await project.run(["--json", ...args, ...words], env);
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "").session as string;
  };
  const id = await run("--permission", "all", "change a.txt");
  if (again) await run("--permission", "all", "--resume", id, "and what is it now?");
  return id;
}

export function reportOf({ stdout, stderr }: Ended): ReplayReport {
  if (stdout === "") throw new Error(stderr);
  return replayReportSchema.parse(JSON.parse(stdout));
}

/** To be called once in a file of tests. */
export function placeOfEachTest(): void {
  beforeEach(async () => {
    server = await startModelServer({ script: SCRIPT });
    project = await Project.create({
      "a.txt": "one\n",
      ".gitignore": "ignored.txt\n",
      "ignored.txt": "mine\n",
    });
    scratch = path.join(project.folder, "../tmp");
    await mkdir(scratch);
    env = {
      ...{ NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "sk-secret" },
      TMPDIR: scratch,
    };
    project.commit();
  });
  afterEach(async () => {
    await server.close();
    const left = await readdir(scratch);
    await project.remove();
    expect(left.filter((name) => name.startsWith("nekode-replay-"))).toEqual([]);
  });
}
