/** The built terminal host, run by Windows' own Node. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { inject } from "vitest";
import * as z from "zod";
import { wineEnvironment } from "./environment.ts";

/** A program that takes longer waits for something that does not come. */
const LONGEST_MS = 300_000;

const endedSchema = z.array(z.object({ code: z.number(), stdout: z.string(), stderr: z.string() }));

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Started {
  child: ChildProcess;
  /** Where its standard output arrives, as Linux names it. */
  output: string;
  ended: Promise<Ended>;
}

/** A project on the drive C:, with a folder of its own for sessions. */
export class WindowsProject {
  readonly #lane = inject("lane");

  private constructor(
    /** As Linux names it. */
    readonly scratch: string,
  ) {}

  static async create(files: Record<string, string | Uint8Array> = {}): Promise<WindowsProject> {
    const projects = path.join(inject("lane").prefix, "drive_c/projects");
    await mkdir(projects, { recursive: true });
    const project = new WindowsProject(await mkdtemp(path.join(projects, "p-")));
    await mkdir(project.folder);
    await project.write(files);
    return project;
  }

  /** As Linux names it. */
  get folder(): string {
    return path.join(this.scratch, "work");
  }

  /** A file of the project, as Windows names it. */
  onC(...names: string[]): string {
    return path.win32.join(String.raw`C:\projects`, path.basename(this.scratch), "work", ...names);
  }

  async write(files: Record<string, string | Uint8Array>): Promise<void> {
    for (const [name, content] of Object.entries(files)) {
      const file = path.join(this.folder, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, content);
    }
  }

  read(name: string): Promise<string> {
    return readFile(path.join(this.folder, name), "utf8");
  }

  bytes(name: string): Promise<Buffer> {
    return readFile(path.join(this.folder, name));
  }

  remove(): Promise<void> {
    return rm(this.scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  /** Runs `nekode` with these arguments. */
  async run(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
    return (await this.start(args, env)).ended;
  }

  /**
   * Runs `nekode` once for each list of arguments, one after another in one process. Each runs in the folder `cwd` of the project.
   * The locale decides on the code page: ja_JP has 932, zh_CN has 936, C has 437.
   */
  async runAll(
    runs: readonly { args: readonly string[]; cwd?: string }[],
    env: Record<string, string> = {},
    locale = "C",
  ): Promise<Ended[]> {
    const [input, output] = ["runs.json", "results.json"].map((name) => path.join(this.scratch, name));
    if (input === undefined || output === undefined) throw new Error("no files");
    const all = runs.map(({ args, cwd = "" }) => ({ args, cwd: this.onC(cwd), environment: { LANG: "C" } }));
    await writeFile(input, JSON.stringify(all));
    await writeFile(output, "[]");
    const script = String.raw`C:\tools\many-runs.cjs`;
    const [from, to] = [this.onC("..", "runs.json"), this.onC("..", "results.json")];
    const { ended } = await this.startNode([script, from, to], { ...env, LC_ALL: `${locale}.UTF-8` });
    const { stderr } = await ended;
    const results = endedSchema.parse(JSON.parse(await readFile(output, "utf8")));
    if (results.length < runs.length)
      throw new Error(`${runs[results.length]?.args.join(" ")} did not end. ${stderr}`);
    return results;
  }

  start(args: readonly string[], env: Record<string, string> = {}): Promise<Started> {
    return this.startNode([String.raw`C:\nekode\cli.js`, ...args], env);
  }

  /** Windows' Node with these arguments. Its output is a file: a pipe of Linux fails with EINVAL. */
  async startNode(args: readonly string[], env: Record<string, string> = {}): Promise<Started> {
    const { wine, node } = this.#lane;
    const logs = await mkdtemp(path.join(this.scratch, "run-"));
    const files = ["stdout", "stderr"].map((name) => path.join(logs, name));
    const [stdout, stderr] = await Promise.all(files.map((file) => open(file, "w")));
    if (!stdout || !stderr) throw new Error("no files");
    const child = spawn(wine, [node, ...args], {
      cwd: this.folder,
      env: { ...wineEnvironment(this.#lane), ...this.#variables(), ...env },
      stdio: ["ignore", stdout.fd, stderr.fd],
      timeout: LONGEST_MS,
      killSignal: "SIGKILL",
    });
    const ended = new Promise<number | null>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", resolve);
    }).then(async (code) => {
      const [out = "", err = ""] = await Promise.all(files.map((file) => readFile(file, "utf8")));
      return { code, stdout: out, stderr: err };
    });
    await Promise.all([stdout.close(), stderr.close()]);
    return { child, output: files[0] ?? "", ended };
  }

  #variables(): Record<string, string> {
    const own = (name: string) => path.win32.join(String.raw`C:\projects`, path.basename(this.scratch), name);
    return {
      NODE_OPTIONS: "--require=C:/tools/no-keep-alive.cjs",
      NEKODE_DATA_DIR: own("data"),
      NEKODE_CONFIG_DIR: own("config"),
    };
  }
}
