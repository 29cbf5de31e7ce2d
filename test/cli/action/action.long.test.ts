/**
 * More of the steps of the GitHub Action: keys in the processes above a command, schemas, and what is installed. `action.test.ts` proves
 * that a task runs, pauses and shows no key, and `output-schema.test.ts` what a schema does.
 */
import { access, chmod, cp, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  ABOVE,
  command,
  done,
  placeOfEachTest,
  project,
  repository,
  runner,
  scratch,
  server,
} from "./action-place.ts";

placeOfEachTest();

it("an answer to anything else than was shown leaves the task paused", async () => {
  server.setScript({ turns: [command("touch b.txt"), done("Made it.")] });
  const { session = "", "data-dir": dataDir = "" } = (await runner().action({ task: "Make it" })).outputs;
  const wrong = await runner().action({
    resume: session,
    answer: "yes",
    shown: "0".repeat(32),
    "data-dir": dataDir,
  });
  expect(wrong.outputs.status).toBe("needs-approval");
  await expect(access(path.join(project.folder, "b.txt"))).rejects.toThrow();
});

it.runIf(process.platform === "linux")(
  "commands of the agent find no key and no file of the runner in a process above them",
  async () => {
    server.setScript({ turns: [command(ABOVE), done("Listed."), command(ABOVE), done("Listed.")] });
    const env = {
      ACTIONS_RUNTIME_TOKEN: "of-the-runner",
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: "to-sign-in",
      OTHER: "stays\nhere",
    };
    const secret = /sk-of-|of-the-runner|to-sign-in|^INPUT_|^GITHUB_(?:ENV|OUTPUT|PATH|STATE|STEP_SUMMARY)=/m;
    await runner().action({ task: "List", permission: "all", "api-key": "sk-of-the-action" }, env);
    expect(await project.read("up.txt")).toContain("OTHER=stays\nhere");
    expect(await project.read("up.txt")).not.toMatch(secret);
    expect(server.requests[0]?.headers.authorization).toBe("Bearer sk-of-the-action");
    // A key of the workflow's own environment.
    await runner().action(
      { task: "List", permission: "all" },
      { ...env, NEKODE_API_KEY: "sk-of-the-workflow" },
    );
    expect(await project.read("up.txt")).not.toMatch(secret);
    expect(server.requests.at(-1)?.headers.authorization).toBe("Bearer sk-of-the-workflow");
  },
);

it("a final answer that fits a schema is an output; a schema that cannot be used fails the step", async () => {
  const output = { label: "bug" };
  await writeFile(
    path.join(project.folder, "own.json"),
    '{"properties": {"label": {"enum": ["bug"]}}, "required": ["label"]}',
  );
  server.setScript({
    turns: [{ answer: [{ tool: "attempt_completion", params: { result: "A bug.", output } }] }],
  });
  const { outputs } = await runner().action({ task: "Sort", "output-schema": "own.json" });
  expect(outputs).toMatchObject({ status: "done", output: '{"label":"bug"}', answer: "A bug." });
  const run = runner();
  const wrong = await run.action({ task: "Sort", "output-schema": "none.json" });
  expect(wrong).toMatchObject({
    outcome: "failure",
    outputs: { status: "failed", "exit-code": "2", report: "" },
  });
  expect(run.log).toContain("the file cannot be read: ENOENT");
});

describe("the first step", () => {
  /** A checkout, with a played npm that writes down what it is asked. */
  async function checkout(): Promise<{
    folder: string;
    asked(): Promise<string>;
    env: Record<string, string>;
  }> {
    const folder = path.join(scratch, "checkout");
    const bin = path.join(scratch, "bin");
    for (const each of ["action.yml", "package.json", "package-lock.json", "esbuild.mjs", "scripts"])
      await cp(path.join(repository, each), path.join(folder, each), { recursive: true });
    await mkdir(bin, { recursive: true });
    await writeFile(path.join(bin, "npm"), '#!/bin/sh\necho "$PWD: $*" >> "$0.asked"\nexit 3\n');
    await chmod(path.join(bin, "npm"), 0o755);
    const env = { PATH: `${bin}:${process.env.PATH}`, HOME: scratch };
    return { folder, env, asked: () => readFile(path.join(bin, "npm.asked"), "utf8").catch(() => "") };
  }

  it("installs the packages of a checkout without a build, and fails with them", async () => {
    const { folder, env, asked } = await checkout();
    const run = runner({ actionFolder: folder, env });
    expect((await run.action({ task: "Look" })).outcome).toBe("failure");
    expect(await asked()).toBe(`${folder}: ci --no-audit --no-fund\n`);
    expect(run.log).toContain("npm ci");
    expect(server.requests).toEqual([]);
  });

  it("takes a build that is whole, and no other", async () => {
    const { folder, env, asked } = await checkout();
    await mkdir(path.join(folder, "dist"));
    await writeFile(path.join(folder, "dist/cli.js"), 'console.log("run");');
    await runner({ actionFolder: folder, env }).action({ task: "Look" });
    expect(await asked()).not.toBe("");
    await writeFile(path.join(folder, "dist/meta.json"), "{}");
    const run = runner({ actionFolder: folder, env });
    expect((await run.action({ task: "Look" })).outcome).toBe("success");
    expect(run.log).toContain("Nekode is built already.");
    expect((await asked()).split("\n")).toHaveLength(2);
  });
});
