import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

let folder: string;
let program: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "model-server-"));
  program = join(folder, "main.mjs");
  await build({
    entryPoints: ["test/model-server/main.ts"],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
  });
});

const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

afterAll(() => rm(folder, { recursive: true }));

const announcement = z.strictObject({ url: z.string(), port: z.int() });

async function start(...args: string[]): Promise<{ child: ChildProcess; url: string; port: number }> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  children.push(child);
  const { stdout } = child;
  if (stdout === null) throw new Error("no standard output");
  const [line] = await once(createInterface({ input: stdout }), "line");
  return { child, ...announcement.parse(JSON.parse(String(line))) };
}

async function fail(...args: string[]): Promise<{ code: number; errors: string }> {
  const child = spawn(process.execPath, [program, ...args]);
  let errors = "";
  child.stderr.on("data", (data: Buffer) => {
    errors += data.toString();
  });
  const [code] = await once(child, "close");
  return { code: Number(code), errors };
}

async function talk(url: string): Promise<string> {
  const answer = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }] }),
  });
  return await answer.text();
}

describe("the program", () => {
  it("says where it listens, plays the demonstration, and ends on SIGTERM", async () => {
    const { child, url, port } = await start();
    expect(url).toBe(`http://127.0.0.1:${port}/v1`);
    expect(await talk(url)).toContain("scripted model");
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("plays a script, and ends with its standard input", async () => {
    const file = join(folder, "script.json");
    await writeFile(file, JSON.stringify({ turns: [{ answer: [{ text: "from a file" }] }] }));
    const { child, url } = await start("--script", file, "--exit-with-stdin");
    expect(await talk(url)).toContain("from a file");
    child.stdin?.end();
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("names what is wrong", async () => {
    const file = join(folder, "bad.json");
    await writeFile(file, JSON.stringify({ turns: [{ answer: [{ txt: "a" }] }] }));
    expect(await fail("--script", file)).toMatchObject({
      code: 2,
      errors: expect.stringContaining("turns[0].answer[0]"),
    });
    expect(await fail("--port", "x")).toMatchObject({
      code: 2,
      errors: expect.stringContaining("not a port: x"),
    });
    expect(await fail("--what")).toMatchObject({ code: 2, errors: expect.stringContaining("Usage") });
  });

  it("says so when the port is taken", async () => {
    const { child, port } = await start();
    expect(await fail("--port", String(port))).toMatchObject({
      code: 2,
      errors: expect.stringContaining("EADDRINUSE"),
    });
    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([0, null]);
  });
});
