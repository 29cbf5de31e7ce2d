// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of configuration files
/** `nekode mcp` as a user runs it, with real servers. */
import { existsSync } from "node:fs";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { startAuthorizationServer } from "../support/authorization-server.ts";
import {
  configure,
  fine,
  keyed,
  keyInputs,
  MEMORY,
  mcp,
  placeOfEachTest,
  project,
  userFile,
} from "./servers-place.ts";

placeOfEachTest();

const userConfig = async () =>
  z
    .object({ mcpServers: z.record(z.string(), z.unknown()) })
    .parse(JSON.parse(await readFile(userFile, "utf8")));

/** A project's server that leaves a trace when it starts. */
const tracing = (trace: string) => ({
  command: process.execPath,
  args: ["-e", `require("node:fs").writeFileSync("${trace}", ""); process.exit(3)`],
});

describe("add, list and remove", () => {
  it("write and read the user's file", async () => {
    expect(await fine("add", "mem", "--env", "A=b=c", "--timeout", "5", "--", "npx", "-y", "pkg")).toBe(
      `Added mem to ${userFile}\n`,
    );
    await fine(
      "add",
      "web",
      "--url",
      "https://example.com/mcp?key=1",
      "--header",
      "X-A: b: c",
      "--type",
      "http",
    );
    expect(await userConfig()).toEqual({
      mcpServers: {
        mem: { command: "npx", args: ["-y", "pkg"], env: { A: "b=c" }, timeout: 5 },
        web: { type: "http", url: "https://example.com/mcp?key=1", headers: { "X-A": "b: c" } },
      },
    });
    expect(await fine("list")).toBe(
      `mem  enabled  npx -y pkg  (${userFile}:3)\nweb  enabled  https://example.com/mcp  (${userFile}:14)\n`,
    );
    expect(await fine("remove", "mem")).toBe(`Removed mem from ${userFile}\n`);
    expect(Object.keys((await userConfig()).mcpServers)).toEqual(["web"]);
  });

  it("change nothing if the name is taken, or is not there", async () => {
    await fine("add", "a", "--", "x");
    const again = await mcp("add", "a", "--", "y");
    expect(again).toMatchObject({ code: 1, stdout: "" });
    expect(again.stderr).toContain("nekode mcp remove a");
    expect((await userConfig()).mcpServers).toEqual({ a: { command: "x" } });
    expect(await mcp("remove", "b")).toMatchObject({
      code: 1,
      stderr: "nekode: There is no MCP server named b. Configured servers: a\n",
    });
  });

  it("accept what a README shows", async () => {
    const readme =
      '```json\n{\n  "mcpServers": {\n    "My server": {"command": "x", "extra": 1},\n  }\n}\n```\n';
    const added = await project.run(["mcp", "add", "--from", "-"], {}, readme);
    expect(added).toMatchObject({ code: 0, stdout: `Added My-server to ${userFile}\n` });
    expect(added.stderr).toContain("extra is not supported");
    const unnamed = await project.run(
      ["mcp", "add", "two", "--from", "-"],
      {},
      '{"url": "http://localhost:1"}',
    );
    expect(unnamed).toMatchObject({ code: 0, stderr: "" });
    expect(Object.keys((await userConfig()).mcpServers)).toEqual(["My-server", "two"]);
    const bad = await project.run(
      ["mcp", "add", "--from", "-"],
      {},
      '{"a": {"command": "x", "url": "http://b"}}',
    );
    expect(bad).toMatchObject({ code: 1, stderr: "nekode: a: the entry has both a command and a url\n" });
    expect(await project.run(["mcp", "add", "--from", "-"], {}, "npx -y pkg")).toMatchObject({
      code: 1,
      stderr: "nekode: the text contains no configuration of an MCP server\n",
    });
  });

  it.each([
    ["add"],
    ["add", "a"],
    ["add", "a b", "--", "x"],
    ["add", "a", "--url", "http://b", "--", "x"],
    ["add", "a", "--url", "http://b", "--env", "A=1"],
    ["add", "a", "--header", "A: 1", "--", "x"],
    ["add", "a", "--env", "A", "--", "x"],
    ["add", "a", "--url", "http://b", "--type", "ws"],
    ["add", "a", "--timeout", "0", "--", "x"],
    ["add", "--project"],
    ["add", "--project", "a", "--url", "http://b"],
    ["list", "a"],
    ["remove"],
    ["test", "a", "b"],
    ["test", "a", "--url", "http://b"],
    ["start", "a"],
    ["list", "--nope"],
  ])("are refused as wrong usage: %s %s %s", async (...args) => {
    const { code, stdout, stderr } = await mcp(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^nekode: .+\nRun nekode --help for usage\.\n$/);
    expect(existsSync(userFile)).toBe(false);
  });

  it("have a help", async () => {
    for (const args of [[], ["--help"], ["add", "--help"]])
      expect(await fine(...args)).toContain("nekode mcp add");
  });

  it("use the folder that is named, and say what is wrong in the files", async () => {
    const folder = path.join(project.folder, "config");
    await mkdir(folder);
    await writeFile(
      path.join(folder, "mcp.json"),
      '{"mcpServers": {\n"a": {},\n"b": {"command": "x", "disabled": true}}}',
    );
    const { code, stdout, stderr } = await mcp("list", "--config-dir", folder);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `b  disabled  x  (${folder}/mcp.json:3)\n` });
    expect(stderr).toBe(`${folder}/mcp.json:2: a: the entry has no command and no url\n`);
    await writeFile(path.join(folder, "mcp.json"), "{ oops");
    const refused = await project.run(["mcp", "add", "c", "--", "x"], { NEKODE_CONFIG_DIR: folder });
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain("not valid JSON (line 1)");
    expect(await readFile(path.join(folder, "mcp.json"), "utf8")).toBe("{ oops");
  });

  it("speak the user's language", async () => {
    const { stdout } = await project.run(["mcp", "add", "a", "--", "x"], { LANG: "ja_JP.UTF-8" });
    expect(stdout).toBe(`a を ${userFile} に追加しました\n`);
  });
});

describe("a project's server", () => {
  it("does not start without approval, and what would run is shown", async () => {
    await configure({ odd: { ...tracing("started"), env: { A: "x\u200by" } } });
    const { code, stdout, stderr } = await mcp("test", "odd");
    expect({ code, stdout }).toEqual({ code: 4, stdout: "" });
    expect(stderr).toContain(`command: ${process.execPath}`);
    expect(stderr).toContain("x‹U+200B›y");
    expect(stderr).toContain("nekode mcp add --project odd");
    expect(await fine("list")).toContain("odd  requires approval");
    expect(existsSync(path.join(project.folder, "started"))).toBe(false);
    await fine("add", "--project", "odd");
    expect(await fine("add", "--project", "odd")).toBe("odd requires no approval.\n");
    expect((await mcp("test", "odd")).code).toBe(1);
    expect(existsSync(path.join(project.folder, "started"))).toBe(true);
  });

  it("asks again with the difference when its configuration changed, and starts with a yes", async () => {
    await configure({ mem: { command: MEMORY[0], args: [MEMORY[1]] } });
    await fine("add", "--project", "mem");
    await configure({
      mem: { command: MEMORY[0], args: [MEMORY[1]], env: { MEMORY_FILE_PATH: "here.json" } },
    });
    expect(await fine("list")).toContain("mem  changed, requires approval");
    expect(JSON.parse(await fine("list", "--json"))).toMatchObject({ name: "mem", approval: "changed" });
    const no = await project.converse(["mcp", "test", "mem"], {}, [["[y]es or [n]o", "n\r"]]);
    expect(no.code).toBe(4);
    expect(no.stdout).toMatch(/\+env: MEMORY_FILE_PATH=here\.json/);
    const yes = await project.converse(["mcp", "test", "mem"], {}, [["[y]es or [n]o", "y\r"]]);
    expect(yes.code).toBe(0);
    expect(yes.stdout).toContain("read_graph");
    expect((await mcp("test", "mem")).code).toBe(0);
  });
});

describe("values that the user enters", () => {
  it("are asked for once, are not shown, and are in a file that only the user can read", async () => {
    await configure({ keyed }, { inputs: keyInputs });
    await fine("add", "--project", "keyed");
    const typed = await project.converse(["mcp", "login", "keyed"], {}, [["API key", "s3cret-value\r"]]);
    expect(typed.code).toBe(0);
    expect(typed.stdout).not.toContain("s3cret");
    const secrets = path.join(project.dataDir, "servers/secrets.json");
    expect((await stat(secrets)).mode & 0o777).toBe(0o600);
    expect((await mcp("test", "keyed")).stderr).toContain("KEY=s3cret-value");
    expect(await fine("logout", "keyed")).toBe("Forgot the values that you entered for keyed.\n");
    expect(await readFile(secrets, "utf8")).not.toContain("s3cret");
    expect(await fine("logout", "keyed")).toBe("You are not signed in to keyed.\n");
  });
});

describe("signing in", () => {
  it("shows an address, and what the browser leads back to gives access", async () => {
    const server = await startAuthorizationServer();
    onTestFinished(() => server.close());
    await fine("add", "guarded", "--url", server.url);
    const refused = await mcp("test", "guarded");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("nekode mcp login guarded") });
    const login = project.begin(["mcp", "login", "guarded"]);
    for await (const line of createInterface({ input: login.stderr })) {
      // The user's browser says yes and is led back.
      if (line.startsWith("http")) expect((await fetch(line)).status).toBe(200);
    }
    expect(await login.ended).toMatchObject({ code: 0, stdout: "Signed in to guarded.\n" });
    expect(await fine("test", "guarded")).toContain("secret");
    expect((await stat(path.join(project.dataDir, "servers/secrets.json"))).mode & 0o777).toBe(0o600);
    expect(await fine("logout", "guarded")).toBe("Signed out of guarded.\n");
    expect((await mcp("test", "guarded")).code).toBe(1);
    expect(await fine("logout", "guarded")).toBe("You are not signed in to guarded.\n");
    const inJapanese = await project.run(["mcp", "logout", "guarded"], { LANG: "ja_JP.UTF-8" });
    expect(inJapanese).toMatchObject({ code: 0, stdout: "guarded にはサインインしていません。\n" });
  });
});
