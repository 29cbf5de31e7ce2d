/**
 * The files of docs/batch: what they run is what they say, and their shards together run every task once. `local.test.ts` proves
 * what a batch does, and test/unit/batch/batch-file.test.ts that each task is in one shard.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { type ModelServer, startModelServer } from "../../model-server/server.ts";
import { BatchPlace, SCRIPT } from "./support.ts";

const repository = path.resolve(import.meta.dirname, "../../..");

const jobSchema = z.object({
  kind: z.literal("Job"),
  spec: z.object({
    completionMode: z.literal("Indexed"),
    completions: z.literal(4),
    template: z.object({
      spec: z.object({
        containers: z.array(
          z.object({
            command: z.tuple([z.literal("sh"), z.literal("-c"), z.string()]),
            volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
          }),
        ),
        volumes: z.array(z.object({ name: z.string() })),
      }),
    }),
  }),
});
const workflowSchema = z.object({
  jobs: z.object({
    batch: z.object({
      strategy: z.object({ matrix: z.object({ shard: z.array(z.number()) }) }),
      steps: z.array(
        z.object({ run: z.string().optional(), env: z.record(z.string(), z.string()).optional() }),
      ),
    }),
  }),
});

const recipe = async (name: string): Promise<unknown> =>
  parse(await readFile(path.join(repository, "docs/batch", name), "utf8"));

let server: ModelServer;
let place: BatchPlace;

beforeEach(async () => {
  server = await startModelServer({ script: SCRIPT });
  place = await BatchPlace.create(server);
});
afterEach(async () => {
  await server.close();
  await place.remove();
});

it("a Kubernetes Job and a matrix of GitHub Actions share the tasks of a batch", async () => {
  const { spec } = jobSchema.parse(await recipe("kubernetes-job.yaml"));
  const { containers, volumes } = spec.template.spec;
  const [container] = containers;
  const mounted = container?.volumeMounts.map(({ name }) => name);
  expect(mounted).toEqual(volumes.map(({ name }) => name));
  const { batch } = workflowSchema.parse(await recipe("github-matrix.yml")).jobs;
  expect(batch.strategy.matrix.shard).toEqual([1, 2, 3, 4]);
  const step = batch.steps.find(({ run }) => run?.includes("nekode batch"));
  expect(step?.env?.SHARD).toBe(`\${{ matrix.shard }}`);

  const tasks = await place.tasks(["a", "b"].map((id) => ({ id, cwd: "project", task: "say it" })));
  const top = path.dirname(tasks);
  await installed(path.join(top, "bin"));
  const command = (container?.command[2] ?? "").replaceAll(/\/(tasks|results|tmp)\//g, (_, name: string) =>
    name === "tasks" ? `${top}/` : `${top}/${name}/`,
  );
  const codes = await Promise.all([
    run(command, top, { JOB_COMPLETION_INDEX: "0" }),
    run(step?.run ?? "", top, { SHARD: "2", NEKODE_DATA_DIR: path.join(top, "data2") }),
  ]);
  expect(codes).toEqual([0, 0]);
  const files = (await readdir(path.join(top, "results"))).filter((name) => name.endsWith(".jsonl")).sort();
  const texts = await Promise.all(files.map((name) => readFile(path.join(top, "results", name), "utf8")));
  expect(texts.map((text) => JSON.parse(text).id)).toEqual(["a", "b"]);
});

/** The command `nekode` on PATH. */
async function installed(folder: string): Promise<void> {
  await mkdir(folder);
  const program = path.join(repository, "dist/cli.js");
  await writeFile(path.join(folder, "nekode"), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  await chmod(path.join(folder, "nekode"), 0o755);
}

async function run(command: string, top: string, env: Record<string, string>): Promise<number> {
  const known = place.environment;
  const child = spawn("sh", ["-c", command], {
    cwd: top,
    env: { ...known, ...env, PATH: `${path.join(top, "bin")}${path.delimiter}${known.PATH}` },
    stdio: "ignore",
  });
  const [code] = await once(child, "close");
  return code;
}
