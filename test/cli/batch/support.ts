/** Batches as a user runs them: a repository, a file of tasks, and what came of them. */
import { execFileSync } from "node:child_process";
import { on } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { type BatchResult, batchResultSchema } from "../../../src/shared/run/batch-lines.ts";
import type { ModelServer, Script } from "../../model-server/server.ts";
import { Project, type Running, type Started } from "../support.ts";

/** Not an ordinary word: those are not masked. */
export const KEY = "sk-batch-4f7a9c1e22d84b60";

/** What the model does is named by the task: it writes a file, waits for "go", runs a command. */
export const SCRIPT: Script = {
  turns: [
    {
      match: { firstUser: "run it", request: 1 },
      times: true,
      answer: [{ tool: "execute_command", params: { command: "./x.sh", requires_approval: true } }],
    },
    { match: { firstUser: "wait", request: 1 }, times: true, answer: [{ text: "Waiting." }, { hold: "go" }] },
    {
      match: { firstUser: "say it" },
      times: true,
      answer: [{ tool: "attempt_completion", params: { result: "Said." } }],
    },
    {
      match: { request: 1 },
      times: true,
      answer: [{ tool: "write_to_file", params: { path: "out.txt", content: "made\n" } }],
    },
    { times: true, answer: [{ tool: "attempt_completion", params: { result: "Finished." } }] },
  ],
};

/** Resolves when the program has printed this on standard error, from now on. */
export async function printed(program: Started | Running, text: string): Promise<void> {
  const stderr = "child" in program ? program.child.stderr : program.stderr;
  if (!stderr) throw new Error("no standard error");
  let all = "";
  for await (const [part] of on(stderr, "data", { close: ["end"] })) {
    all += part;
    if (all.includes(text)) return;
  }
  throw new Error(`"${text}" was not printed, but:\n${all}`);
}

export class BatchPlace {
  readonly #env: Record<string, string>;

  private constructor(
    readonly project: Project,
    server: ModelServer,
  ) {
    this.#env = {
      ...{ NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: KEY },
      NEKODE_CONTEXT_WINDOW: "200000",
    };
  }

  /** A repository with two commits, of which the first one has the tag v1; and an uncommitted change. */
  static async create(server: ModelServer): Promise<BatchPlace> {
    const place = new BatchPlace(await Project.create({ "neko.txt": "cat\n" }), server);
    place.project.commit();
    place.git("tag", "v1");
    await writeFile(place.file("neko.txt"), "two cats\n");
    place.git("commit", "-qam", "two");
    await writeFile(place.file("neko.txt"), "not committed\n");
    return place;
  }

  get folder(): string {
    return this.project.folder;
  }

  git(...args: string[]): string {
    const who = ["-c", "user.name=n", "-c", "user.email=n@example.com"];
    return execFileSync("git", [...who, ...args], { cwd: this.folder, encoding: "utf8" });
  }

  file(name: string): string {
    return path.join(this.folder, name);
  }

  /** Beside the repository, so that it changes nothing in it. */
  async tasks(lines: readonly object[]): Promise<string> {
    const file = path.join(this.folder, "../tasks.jsonl");
    await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    return file;
  }

  get environment(): Record<string, string> {
    return { ...this.project.environment, ...this.#env };
  }

  start(args: readonly string[], env: Record<string, string> = {}): Started {
    return this.project.start(args, { ...this.#env, ...env });
  }

  begin(args: readonly string[], env: Record<string, string> = {}): Running {
    return this.project.begin(args, { ...this.#env, ...env });
  }

  spawn(args: readonly string[], env: Record<string, string> = {}) {
    return this.project.spawn(args, { ...this.#env, ...env });
  }

  run(args: readonly string[], env: Record<string, string> = {}) {
    return this.project.run(args, { ...this.#env, ...env });
  }

  /** The results, by id; no task has two. */
  async results(): Promise<Map<string, BatchResult>> {
    const lines = await readFile(path.join(this.folder, "../tasks.results.jsonl"), "utf8");
    const all = lines
      .trimEnd()
      .split("\n")
      .map((line) => batchResultSchema.parse(JSON.parse(line)));
    const ids = all.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    return new Map(all.map((result) => [result.id, result]));
  }

  /** Neither the user's files, branches and worktrees changed, nor is anything of a task left. */
  async expectUntouched(): Promise<void> {
    expect(this.git("status", "--porcelain")).toBe(" M neko.txt\n");
    expect(this.git("branch", "--format=%(refname:short)").trim()).toBe("main");
    expect(this.git("worktree", "list").trim().split("\n")).toHaveLength(1);
    const running = await readdir(path.join(this.project.dataDir, "batch/running"));
    expect(running.filter((name) => /\.(?:json|lock)$/.test(name))).toEqual([]);
  }

  remove(): Promise<void> {
    return this.project.remove();
  }
}
