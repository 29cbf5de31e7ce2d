/** Tasks of a table: in each the played model makes one call, and the next request of its conversation has the result. */
import path from "node:path";
import * as z from "zod";
import { type ModelServer, type ScriptPart, startModelServer } from "../model-server/server.ts";
import { type Ended, WindowsProject } from "./windows.ts";

export interface WindowsTask {
  /** What the user asks for; no other task begins with it. */
  name: string;
  /** Files of its folder. */
  files?: Record<string, string | Uint8Array>;
  tool: string;
  /** A function gets the task's folder as Windows names it. */
  params: z.core.util.JSONType | ((folder: string) => z.core.util.JSONType);
  /** What runs without asking; default: everything. */
  approve?: string;
  /** Default: the task's own folder. */
  cwd?: string;
}

export interface Outcome extends Ended {
  /** The messages of the conversation's last request, as JSON. */
  sent: string;
  /** The task's folder as a prefix of names in the project. */
  folder: string;
}

const message = z.object({ messages: z.array(z.unknown()) });

/** Tasks that ran in one process of Windows' Node, one after another. */
export class TaskRuns {
  private constructor(
    readonly project: WindowsProject,
    readonly server: ModelServer,
    readonly outcomes: ReadonlyMap<string, Outcome>,
  ) {}

  static async of(tasks: readonly WindowsTask[], locale?: string): Promise<TaskRuns> {
    const project = await WindowsProject.create();
    const folders = tasks.map((_, index) => `t${index}`);
    for (const [index, { files = {} }] of tasks.entries())
      await project.write(
        Object.fromEntries([
          [`t${index}/.keep`, ""],
          ...Object.entries(files).map(([name, content]) => [`t${index}/${name}`, content]),
        ]),
      );
    const turns = tasks.flatMap(({ name, tool, params }, index) => {
      const given = typeof params === "function" ? params(project.onC(`t${index}`)) : params;
      const call: ScriptPart = { tool, params: z.record(z.string(), z.json()).parse(given) };
      const end: ScriptPart = { tool: "attempt_completion", params: { result: "Done." } };
      const of = (request: number) => ({ match: { firstUser: `/(?<![\\w-])${name}: please/`, request } });
      return [
        { ...of(1), answer: [call] },
        { ...of(2), answer: [end] },
      ];
    });
    const server = await startModelServer({ script: { turns } });
    const env = {
      NEKODE_BASE_URL: server.url,
      NEKODE_MODEL: "scripted",
      NEKODE_API_KEY: "sk-secret-of-the-test",
    };
    const runs = tasks.map(({ name, approve = "all", cwd }, index) => ({
      args: ["--approve", approve, "--timeout", "60", `${name}: please`],
      cwd: cwd === undefined ? `t${index}` : path.join(`t${index}`, cwd),
    }));
    const ended = await project.runAll(runs, env, locale);
    const outcomes = tasks.map(({ name }, index): [string, Outcome] => {
      const sent = server.requests
        .map(({ body }) => JSON.stringify(message.parse(body).messages).replaceAll("\\n", "\n"))
        .findLast((messages) => new RegExp(`(?<![\\w-])${name}: please`).test(messages));
      const result = ended[index];
      if (result === undefined) throw new Error(`${name} did not run`);
      return [name, { ...result, sent: sent ?? "", folder: folders[index] ?? "" }];
    });
    return new TaskRuns(project, server, new Map(outcomes));
  }

  of(name: string): Outcome {
    const outcome = this.outcomes.get(name);
    if (outcome === undefined) throw new Error(`there is no task ${name}`);
    return outcome;
  }

  async end(): Promise<void> {
    await this.server.close();
    await this.project.remove();
  }
}
