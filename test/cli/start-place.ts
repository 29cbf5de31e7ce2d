/** The terminal host as users start it, with compiled code of its own. */
import { execFileSync } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { crc32 } from "node:zlib";
import { expect } from "vitest";
import { V8_FLAGS } from "../../src/cli/start/v8-flags.ts";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { Project } from "./support.ts";

export const dist = path.join(import.meta.dirname, "../../dist");

export class StartPlace {
  private constructor(
    readonly server: ModelServer,
    readonly project: Project,
  ) {}

  static async create(): Promise<StartPlace> {
    const server = await startModelServer({
      script: {
        scope: "server",
        turns: [{ times: true, answer: [{ tool: "attempt_completion", params: { result: "Done." } }] }],
      },
    });
    return new StartPlace(server, await Project.create({}));
  }

  /** Beside the project. */
  get scratch(): string {
    return path.dirname(this.project.folder);
  }

  get codeDir(): string {
    return path.join(this.project.environment.HOME ?? "", ".cache/nekode/code");
  }

  /** With a cache of its own, which is in the home folder. */
  run(args: readonly string[], env: Record<string, string> = {}) {
    return this.project.spawn(args, { XDG_CACHE_HOME: "", ...env });
  }

  task(env: Record<string, string> = {}) {
    const args = ["--base-url", this.server.url, "--model", "scripted", "Do it"];
    return this.run(args, { NEKODE_API_KEY: "key", ...env });
  }

  async codeFile(): Promise<string> {
    const [name, ...more] = await readdir(this.codeDir);
    expect([name === undefined, more]).toEqual([false, []]);
    return path.join(this.codeDir, name ?? "");
  }

  /** What the launcher would run in place of the program if it trusted the file: V8 only compares lengths. */
  async plant(file: string): Promise<void> {
    const { length } = await readFile(path.join(dist, "program.js"), "utf8");
    const source = path.join(this.scratch, "planted.js");
    await writeFile(source, 'console.log("planted"); process.exit(3);');
    const compile = `
      const { setFlagsFromString } = require("node:v8");
      for (const flag of ${JSON.stringify(V8_FLAGS)}) setFlagsFromString(flag);
      const source = require("node:fs").readFileSync(${JSON.stringify(source)}, "utf8");
      const script = new (require("node:vm").Script)(("(function () {" + source + "})").padEnd(${length}));
      script.runInThisContext();
      process.stdout.write(script.createCachedData());`;
    const code = execFileSync(process.execPath, ["-e", compile]);
    const head = Buffer.alloc(32);
    head.writeUInt32LE(crc32(code));
    await writeFile(file, Buffer.concat([head, code]));
  }

  async close(): Promise<void> {
    await this.server.close();
    await this.project.remove();
  }
}
