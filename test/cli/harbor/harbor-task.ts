/** A task that Harbor gives to its adapter: a project, a played model, and the packed program. */
import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { NEKO_BEFORE, nekoScript } from "../../model-server/scripts/neko.ts";
import { type ModelServer, startModelServer } from "../../model-server/server.ts";
import { Project } from "../support.ts";

const repository = path.join(import.meta.dirname, "../../..");

export const KEY = "sk-harbor-key-0123456789abcdef";

export class HarborTask {
  private constructor(
    readonly server: ModelServer,
    readonly project: Project,
    readonly scratch: string,
  ) {}

  static async create(): Promise<HarborTask> {
    const scratch = await mkdtemp(path.join(tmpdir(), "nekode-harbor-"));
    execFileSync(path.join(repository, "harbor/pack.sh"), [path.join(scratch, "nekode.tgz")]);
    const project = await Project.create({ "neko.txt": `${NEKO_BEFORE}\n` });
    return new HarborTask(await startModelServer({ script: nekoScript() }), project, scratch);
  }

  /** Not synchronous: the model is played by this process. */
  async run(instruction: string, model: string) {
    const script = path.join(import.meta.dirname, "run_adapter.py");
    const { scratch, server, project } = this;
    const args = [script, scratch, path.join(scratch, "nekode.tgz"), project.folder, model, instruction];
    const env = {
      ...process.env,
      NEKODE_BASE_URL: server.url,
      NEKODE_API_KEY: KEY,
      PYTHONDONTWRITEBYTECODE: "1",
    };
    const { stdout } = await promisify(execFile)("python3", args, { env });
    return JSON.parse(stdout);
  }

  log(name: string): Promise<string> {
    return readFile(path.join(this.scratch, "logs/agent", name), "utf8");
  }

  async remove(): Promise<void> {
    await this.server.close();
    await this.project.remove();
    await rm(this.scratch, { recursive: true, force: true });
  }
}
