/**
 * Runs the steps of the project's action, and the jobs of workflows in its documentation, as the runner of GitHub Actions does:
 * with bash, with inputs, expressions, files of outputs, and commands in the log. What it does not know is an error.
 */
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import { type Contexts, condition, interpolate } from "./expressions.ts";

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const texts = z.record(z.string(), text).default({});

const stepSchema = z.strictObject({
  name: z.string().optional(),
  id: z.string().optional(),
  if: z.string().optional(),
  shell: z.literal("bash").optional(),
  env: texts,
  run: z.string().optional(),
  uses: z.string().optional(),
  with: texts,
  "continue-on-error": z.boolean().default(false),
});
type Step = z.infer<typeof stepSchema>;

export const actionSchema = z.strictObject({
  name: z.string(),
  description: z.string(),
  branding: z.strictObject({ icon: z.string(), color: z.string() }),
  inputs: z.record(
    z.string(),
    z.strictObject({ description: z.string(), required: z.boolean().optional(), default: z.string() }),
  ),
  outputs: z.record(z.string(), z.strictObject({ description: z.string(), value: z.string() })),
  runs: z.strictObject({
    using: z.literal("composite"),
    // Without a shell, the runner refuses the step.
    steps: z.array(stepSchema.extend({ shell: z.literal("bash"), run: z.string() })),
  }),
});
export type Action = z.infer<typeof actionSchema>;

const jobSchema = z.strictObject({
  name: z.string().optional(),
  if: z.string().optional(),
  needs: z.string().optional(),
  "runs-on": z.string(),
  "timeout-minutes": z.number().optional(),
  permissions: texts,
  outputs: texts,
  env: texts,
  steps: z.array(stepSchema),
});
export const workflowSchema = z.strictObject({
  name: z.string(),
  on: z.record(z.string(), z.unknown()),
  permissions: z.record(z.string(), z.string()),
  concurrency: z.unknown().optional(),
  jobs: z.record(z.string(), jobSchema),
});
export type Workflow = z.infer<typeof workflowSchema>;

export async function readAction(folder: string): Promise<Action> {
  return actionSchema.parse(parse(await readFile(path.join(folder, "action.yml"), "utf8"), { strict: true }));
}

export interface StepEnd {
  outcome: "success" | "failure" | "skipped";
  outputs: Record<string, string>;
}

export interface RunnerOptions {
  /** Where the runner keeps its own files; removed by whoever made it. */
  scratch: string;
  workspace: string;
  /** Of the machine: PATH and the like. */
  env: Readonly<Record<string, string>>;
  /** The checkout of the action. */
  actionFolder: string;
  github: Readonly<Record<string, unknown>>;
  secrets?: Readonly<Record<string, string>>;
  /** What actions of others do, by the beginning of `uses`. */
  others?: Readonly<Record<string, (inputs: Record<string, string>) => Promise<void>>>;
}

export class Runner {
  readonly #o: RunnerOptions;
  /** Everything that steps printed. */
  log = "";
  /** Commands to the runner that it obeyed, as in `::error::No`. */
  readonly commands: string[] = [];
  /** In Markdown. */
  summary = "";

  constructor(options: RunnerOptions) {
    this.#o = options;
  }

  /** Runs the action, as a step that uses it does. */
  async action(
    inputs: Readonly<Record<string, string>>,
    env: Readonly<Record<string, string>> = {},
  ): Promise<StepEnd> {
    const action = await readAction(this.#o.actionFolder);
    const unknown = Object.keys(inputs).filter((name) => !Object.hasOwn(action.inputs, name));
    if (unknown.length > 0) throw new Error(`the action has no input ${unknown.join(", ")}`);
    const given = Object.fromEntries(
      Object.entries(action.inputs).map(([name, { default: value }]) => [name, inputs[name] ?? value]),
    );
    const contexts = { ...this.#contexts(), inputs: given };
    const own = { ...env, GITHUB_ACTION_PATH: this.#o.actionFolder };
    const { steps, outcome } = await this.#steps(action.runs.steps, contexts, own);
    const outputs = Object.entries(action.outputs).map(
      ([name, { value }]) => [name, interpolate(value, { ...contexts, steps })] as const,
    );
    return { outcome, outputs: Object.fromEntries(outputs) };
  }

  /** Runs the jobs in their order. Resolves with how each ended. */
  async workflow(workflow: Workflow): Promise<Record<string, StepEnd>> {
    const ended: Record<string, StepEnd> = {};
    for (const [name, job] of Object.entries(workflow.jobs)) {
      const needed = job.needs === undefined ? undefined : ended[job.needs];
      if (job.needs !== undefined && !needed)
        throw new Error(`${name} needs ${job.needs}, which comes later`);
      const needs = job.needs === undefined ? {} : { [job.needs]: { ...needed, result: needed?.outcome } };
      const contexts = { ...this.#contexts(), needs };
      if (!condition(job.if, contexts, needed === undefined || needed.outcome === "success")) {
        ended[name] = { outcome: "skipped", outputs: {} };
        continue;
      }
      const { steps, outcome } = await this.#steps(job.steps, contexts, this.#env(job.env, contexts));
      const outputs = Object.entries(job.outputs).map(
        ([output, value]) => [output, interpolate(value, { ...contexts, steps })] as const,
      );
      ended[name] = { outcome, outputs: Object.fromEntries(outputs) };
    }
    return ended;
  }

  #contexts(): Contexts {
    const { github, secrets = {}, scratch } = this.#o;
    return { github, secrets, vars: {}, env: {}, runner: { temp: path.join(scratch, "temp") } };
  }

  #env(env: Readonly<Record<string, string>>, contexts: Contexts): Record<string, string> {
    return Object.fromEntries(
      Object.entries(env).map(([name, value]) => [name, interpolate(value, contexts)]),
    );
  }

  async #steps(list: readonly Step[], contexts: Contexts, env: Record<string, string>) {
    const steps: Record<string, StepEnd> = {};
    let succeeded = true;
    for (const step of list) {
      const now = { ...contexts, steps };
      const end = condition(step.if, now, succeeded)
        ? await this.#step(step, now, { ...env, ...this.#env(step.env, now) })
        : { outcome: "skipped" as const, outputs: {} };
      if (step.id !== undefined) steps[step.id] = end;
      if (end.outcome === "failure" && !step["continue-on-error"]) succeeded = false;
    }
    return { steps, outcome: succeeded ? ("success" as const) : ("failure" as const) };
  }

  async #step(step: Step, contexts: Contexts, env: Record<string, string>): Promise<StepEnd> {
    if (step.run !== undefined) return this.#script(interpolate(step.run, contexts), env);
    const { uses = "" } = step;
    const inputs = this.#env(step.with, contexts);
    if (/^(?:\.\/?$|OWNER\/nekode@)/.test(uses)) return this.action(inputs, env);
    const other = Object.entries(this.#o.others ?? {}).find(([name]) => uses.startsWith(`${name}@`));
    if (!other) throw new Error(`this runner has no action ${uses}`);
    await other[1](inputs);
    return { outcome: "success", outputs: {} };
  }

  async #script(script: string, env: Record<string, string>): Promise<StepEnd> {
    const { scratch, workspace } = this.#o;
    const temp = path.join(scratch, "temp");
    await mkdir(temp, { recursive: true });
    const folder = await mkdtemp(path.join(scratch, "step-"));
    const file = (name: string) => path.join(folder, name);
    for (const name of ["output", "env", "path", "state", "summary"]) await writeFile(file(name), "");
    await writeFile(file("script.sh"), script);
    // As the runner does for `shell: bash`.
    const child = spawn("bash", ["--noprofile", "--norc", "-e", "-o", "pipefail", file("script.sh")], {
      cwd: workspace,
      env: {
        ...this.#o.env,
        ...{ CI: "true", GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: workspace, RUNNER_TEMP: temp },
        ...{ GITHUB_OUTPUT: file("output"), GITHUB_ENV: file("env"), GITHUB_PATH: file("path") },
        ...{ GITHUB_STATE: file("state"), GITHUB_STEP_SUMMARY: file("summary"), ...env },
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let printed = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (data: string) => {
        printed += data;
      });
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", resolve);
    });
    this.log += printed;
    const outputs = { ...this.#obey(printed), ...valuesOf(await readFile(file("output"), "utf8")) };
    for (const name of ["env", "path", "state"])
      if ((await readFile(file(name), "utf8")) !== "") throw new Error(`a step wrote to the file of ${name}`);
    this.summary += await readFile(file("summary"), "utf8");
    await rm(folder, { recursive: true });
    return { outcome: code === 0 ? "success" : "failure", outputs };
  }

  /** The commands in what a step printed. Returns the outputs that they set. */
  #obey(printed: string): Record<string, string> {
    const outputs: Record<string, string> = {};
    let stopped: string | undefined;
    for (const line of printed.split(/\r?\n/)) {
      const command = /^\s*::([\w-]+)([^:]*)::(.*)$/.exec(line);
      const [, name = "", parameters = "", value = ""] = command ?? [];
      if (stopped !== undefined) {
        if (name === stopped) stopped = undefined;
      } else if (name === "stop-commands") stopped = value;
      else if (command) {
        this.commands.push(line.trim());
        const output = /name=(\S+)/.exec(parameters)?.[1];
        if (name === "set-output" && output !== undefined) outputs[output] = value;
      }
    }
    return outputs;
  }
}

/** The values of a file of outputs. */
function valuesOf(content: string): Record<string, string> {
  const values: Record<string, string> = {};
  const lines = content.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line === "") continue;
    const [, name, end] = /^([^=<]+)<<(.+)$/.exec(line) ?? [];
    if (name !== undefined && end !== undefined) {
      const last = lines.indexOf(end, at + 1);
      if (last < 0) throw new Error(`the value of ${name} has no end`);
      values[name] = lines.slice(at + 1, last).join("\n");
      at = last;
      continue;
    }
    const [, key, value] = /^([^=]+)=(.*)$/.exec(line) ?? [];
    if (key === undefined || value === undefined) throw new Error(`no output: ${line}`);
    values[key] = value;
  }
  return values;
}
