/** Programs that run to their end: what they are given, what is kept of what they print, and what ends them. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Interrupt, ToolError } from "../../../src/core/errors.ts";
import type { ProgramOutput, ProgramRun } from "../../../src/core/ports/programs.ts";
import { createPrograms } from "../../../src/node/run-program.ts";
import { isAlive, processesNaming } from "../../support/processes.ts";
import { neverAborted, temporaryFolder } from "./support.ts";

const onPosix = it.skipIf(process.platform === "win32");
const programs = createPrograms(process.env, () => []);

const textOf = ({ bytes }: ProgramOutput) => new TextDecoder().decode(bytes);

/** Runs a script in this runtime. */
async function node(script: string, args: string[] = [], more: Partial<ProgramRun> = {}) {
  const { stdout, stderr, ...end } = await programs.run({
    program: process.execPath,
    args: ["-e", script, ...args],
    cwd: import.meta.dirname,
    timeoutMs: 60_000,
    signal: neverAborted,
    outputLimit: 1_000_000,
    ...more,
  });
  return { ...end, out: textOf(stdout), err: textOf(stderr), dropped: [stdout.dropped, stderr.dropped] };
}

/** Writes a program that does not end, not even when asked to, and neither does what it started. `pids`: both, once they run. */
async function stubborn(): Promise<{ file: string; pids(): Promise<number[]> }> {
  const folder = await temporaryFolder();
  const [file, named] = [path.join(folder, "stubborn"), path.join(folder, "pids")];
  const lines = [
    "#!/bin/sh",
    "trap '' TERM",
    // A process that leaves the group, and whose parent ends: only its environment still tells where it comes from.
    `(setsid sh -c 'trap "" TERM; echo $$ > ${named}.2; sleep 600; sleep 600' &)`,
    `while [ ! -s ${named}.2 ]; do sleep 0.01; done`,
    "echo ready",
    `echo $$ > ${named}.1`,
    "sleep 600; sleep 600",
  ];
  await writeFile(file, `${lines.join("\n")}\n`);
  await chmod(file, 0o755);
  return {
    file,
    async pids() {
      await expect.poll(() => existsSync(`${named}.1`) && readFileSync(`${named}.1`, "utf8")).toMatch(/\d\n/);
      return [1, 2].map((which) => Number(readFileSync(`${named}.${which}`, "utf8")));
    },
  };
}

const COPIES_INPUT = "process.stdin.pipe(process.stdout)";

describe("a program", () => {
  it.each(["", "{}", "猫\0\n".repeat(300_000)])(
    "gets its whole input, and no more after it (%#)",
    async (input) => {
      expect(await node(COPIES_INPUT, [], { input, outputLimit: 10_000_000 })).toMatchObject({
        exitCode: 0,
        signal: null,
        out: input,
      });
      const bytes = new TextEncoder().encode(input);
      expect((await node(COPIES_INPUT, [], { input: bytes, outputLimit: 10_000_000 })).out).toBe(input);
    },
  );

  it("may leave its input unread", async () => {
    expect((await node("", [], { input: "x".repeat(10_000_000) })).exitCode).toBe(0);
  });

  it("gets its arguments as they are, because no shell reads them", async () => {
    const args = ["$HOME", "`id`", "a b", '"', "'", "*", "; exit 3", "&& x", "%PATH%", "", "\n", "\\"];
    const { out } = await node("console.log(JSON.stringify(process.argv.slice(1)))", ["--", ...args]);
    expect(JSON.parse(out)).toEqual(args);
  });

  it("runs in the folder that is named, with the variables of the host and more", async () => {
    const cwd = await temporaryFolder();
    const script =
      "console.log(JSON.stringify([process.cwd(), process.env.MORE, process.env.HOST, process.env.OLD]))";
    const host = createPrograms({ ...process.env, HOST: "h", OLD: "old", NEKODE_API_KEY: "key" }, () => []);
    const run = { cwd, timeoutMs: 60_000, signal: neverAborted, outputLimit: 1_000 };
    const { stdout } = await host.run({
      ...run,
      program: process.execPath,
      args: ["-e", script],
      environment: { MORE: "猫", OLD: "new" },
    });
    expect(JSON.parse(textOf(stdout))).toEqual([cwd, "猫", "h", "new"]);
    const { stdout: key } = await host.run({
      ...run,
      program: process.execPath,
      args: ["-e", "console.log(process.env.NEKODE_API_KEY)"],
    });
    expect(textOf(key)).toBe("undefined\n");
  });

  it("has no terminal", async () => {
    expect((await node("console.log(process.stdin.isTTY, process.stdout.isTTY)")).out).toBe(
      "undefined undefined\n",
    );
  });

  it("ends with its exit code, and what it printed on each stream", async () => {
    const script = "console.log('out'); console.error('err'); process.exitCode = 7";
    const end = await node(script);
    expect(end).toMatchObject({ exitCode: 7, signal: null, out: "out\n", err: "err\n", dropped: [0, 0] });
    expect(end.endedBy).toBeUndefined();
  });

  onPosix("ends by a signal of somebody else", async () => {
    const end = await node("process.kill(process.pid, 'SIGKILL')");
    expect(end).toMatchObject({ exitCode: null, signal: "SIGKILL" });
    expect(end.endedBy).toBeUndefined();
  });

  onPosix("is not waited for longer because something that it left has its output", async () => {
    const script = `console.log(require("node:child_process").spawn("sleep", ["600"], { stdio: "inherit" }).pid); process.exit(0)`;
    const { exitCode, out } = await node(script);
    const left = Number(out);
    expect([exitCode, isAlive(left)]).toEqual([0, true]);
    process.kill(left, "SIGKILL");
  });
});

describe("the limit of output", () => {
  const PRINTS = "process.stdout.write('a'.repeat(100_000)); process.stderr.write('b'.repeat(50_000))";

  it("keeps the beginning and counts the rest", async () => {
    const { out, err, dropped, ...end } = await node(PRINTS, [], { outputLimit: 60_000 });
    expect([out, err, dropped]).toEqual(["a".repeat(60_000), "b".repeat(50_000), [40_000, 0]]);
    expect(end).toMatchObject({ exitCode: 0 });
    expect(end.endedBy).toBeUndefined();
  });

  it("is not exceeded by what is as long as it", async () => {
    const limits = { outputLimit: 100_000, beyondLimit: "end" } as const;
    const { out, dropped, ...end } = await node(PRINTS, [], limits);
    expect([out.length, dropped, end.exitCode, end.endedBy]).toEqual([100_000, [0, 0], 0, undefined]);
  });

  it("ends a program that prints without end, where that is wanted", async () => {
    const script = "const more = () => process.stdout.write('y\\n'.repeat(1_000), more); more()";
    const end = await node(script, [], {
      outputLimit: 999,
      beyondLimit: "end",
      timeoutMs: Number.POSITIVE_INFINITY,
    });
    expect(end).toMatchObject({ endedBy: "output-limit", out: `${"y\n".repeat(499)}y` });
  });
});

describe.skipIf(process.platform !== "linux")("the end of a program that does not end", () => {
  it("comes after its time, with all that it started", async () => {
    const { file } = await stubborn();
    const end = await programs.run({
      program: file,
      args: [],
      cwd: path.dirname(file),
      // In which both processes mostly have started, but need not have.
      timeoutMs: 1_000,
      signal: neverAborted,
      outputLimit: 100,
    });
    expect(end).toMatchObject({ endedBy: "time-limit", exitCode: null });
    expect(processesNaming(path.dirname(file))).toEqual([]);
  });

  it("comes with an abort, and is waited for", async () => {
    const { file, pids } = await stubborn();
    const stopped = new AbortController();
    const run = { program: file, args: [], cwd: path.dirname(file), outputLimit: 100 };
    const running = programs.run({ ...run, timeoutMs: Number.POSITIVE_INFINITY, signal: stopped.signal });
    const started = await pids();
    expect(started.map(isAlive)).toEqual([true, true]);
    stopped.abort();
    await expect(running).rejects.toBeInstanceOf(Interrupt);
    expect(started.map(isAlive)).toEqual([false, false]);
  });
});

it("an abort before the start starts nothing", async () => {
  const script = `require("node:fs").writeFileSync(process.argv[1], "")`;
  const file = path.join(await temporaryFolder(), "started");
  await expect(node(script, [file], { signal: AbortSignal.abort() })).rejects.toBeInstanceOf(Interrupt);
  expect(existsSync(file)).toBe(false);
});

describe("a program that cannot be started", () => {
  const run = { args: [], timeoutMs: 60_000, signal: neverAborted, outputLimit: 100 };

  it("because there is none says so", async () => {
    const cwd = await temporaryFolder();
    const missing = path.join(cwd, "missing");
    await expect(programs.run({ ...run, cwd, program: missing })).rejects.toEqual(
      new ToolError(`There is no program ${missing}.`),
    );
    await expect(programs.run({ ...run, cwd, program: "./missing" })).rejects.toEqual(
      new ToolError(`There is no program ${missing}.`),
    );
    await expect(programs.run({ ...run, cwd, program: "nekode-missing" })).rejects.toEqual(
      new ToolError("There is no program nekode-missing on PATH outside the workspace."),
    );
    const folder = path.join(cwd, "folder");
    await expect(programs.run({ ...run, cwd: folder, program: process.execPath })).rejects.toEqual(
      new ToolError(`There is no folder ${folder} to run ${process.execPath} in.`),
    );
  });

  onPosix("because of what the file is says so", async () => {
    const cwd = await temporaryFolder();
    const file = path.join(cwd, "program");
    await writeFile(file, "#!/no/such/interpreter\n");
    await expect(programs.run({ ...run, cwd, program: file })).rejects.toThrow("it is not executable");
    await chmod(file, 0o755);
    await expect(programs.run({ ...run, cwd, program: file })).rejects.toThrow("the interpreter");
    await expect(programs.run({ ...run, cwd, program: process.execPath, args: ["\0"] })).rejects.toThrow(
      ToolError,
    );
  });

  onPosix("and a program of the workspace is not found by its name", async () => {
    const cwd = await temporaryFolder();
    await mkdir(path.join(cwd, "bin"));
    const file = path.join(cwd, "bin/nekode-own");
    await writeFile(file, "#!/bin/sh\necho own\n");
    await chmod(file, 0o755);
    const environment = { ...process.env, PATH: `${path.join(cwd, "bin")}:${process.env.PATH}` };
    expect(spawnSync("nekode-own", { env: environment }).stdout.toString()).toBe("own\n");
    const own = { ...run, cwd, program: "nekode-own" };
    await expect(createPrograms(environment, () => [cwd]).run(own)).rejects.toThrow("outside the workspace");
    const { stdout } = await createPrograms(environment, () => []).run(own);
    expect(textOf(stdout)).toBe("own\n");
  });
});
