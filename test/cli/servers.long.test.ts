// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of configuration files
/**
 * More of `nekode mcp`: what a server offers and why one cannot be used, values and approvals that are forgotten. `servers.test.ts`
 * proves approvals, values and signing in, and `server-runs.test.ts` a server at work.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startAuthorizationServer } from "../support/authorization-server.ts";
import {
  configure,
  fine,
  keyed,
  keyInputs,
  MEMORY,
  mcp,
  packages,
  placeOfEachTest,
  project,
  userFile,
} from "./servers-place.ts";

placeOfEachTest();

const EVERYTHING = [process.execPath, path.join(packages, "server-everything/dist/index.js"), "stdio"];

describe("test", () => {
  it("lists what a real server offers, and ends it", async () => {
    await fine("add", "every", "--", ...EVERYTHING);
    const { code, stdout } = await mcp("test", "every");
    expect(code).toBe(0);
    expect(stdout).toMatch(/\(MCP \d{4}-\d\d-\d\d\)\n/);
    expect(stdout).toMatch(/^Tools: \d+\n {2}echo /m);
    expect(stdout).toMatch(/^Resources: \d+\n {2}demo:/m);
    expect(stdout).toMatch(/^Prompts: \d+\n {2}\S+/m);
  });

  it("says why a server cannot be used", async () => {
    await fine(
      "add",
      "gone",
      "--",
      process.execPath,
      "-e",
      'console.error("no \\u001b[31mdatabase"); process.exit(3)',
    );
    const { code, stderr } = await mcp("test", "gone");
    expect(code).toBe(1);
    expect(stderr).toContain("database");
    expect(stderr).not.toContain("\u001b");
    expect(stderr).toMatch(
      /nekode: The MCP server gone failed: the server exited with code 3\n {2}The server's last output:\n {2}no .*database\n$/,
    );
    const inJapanese = await project.run(["mcp", "test", "gone"], { LANG: "ja_JP.UTF-8" });
    expect(inJapanese.stderr).toMatch(
      /nekode: MCP サーバー gone でエラーが発生しました: サーバーがコード 3 で終了しました\n {2}サーバーの最後の出力:\n {2}no .*database\n$/,
    );
    await fine("add", "none", "--", "no-such-program-anywhere");
    const missing = await project.run(["mcp", "test", "none"], { LANG: "ja_JP.UTF-8" });
    expect(missing).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("プログラム no-such-program-anywhere が PATH に見つかりません"),
    });
    await fine("add", "unset", "--env", "A=${env:NOT_SET_HERE}", "--", ...MEMORY);
    expect(await mcp("test", "unset")).toMatchObject({
      code: 1,
      stderr: "nekode: a variable is not set: NOT_SET_HERE\n",
    });
  });
});

describe("a project's server", () => {
  it("loses its approval when it is removed", async () => {
    await configure({ mem: { command: MEMORY[0], args: [MEMORY[1]] } });
    await fine("add", "--project", "mem");
    expect(await fine("remove", "mem")).toContain("Its approval was removed.");
    expect((await mcp("test", "mem")).code).toBe(4);
  });
});

describe("values that the user enters", () => {
  it("are forgotten with the last server that uses them", async () => {
    const { env } = keyed;
    const two = { one: { ...keyed, env }, two: { ...keyed, args: ["-e", ""], env } };
    await mkdir(path.dirname(userFile), { recursive: true });
    await writeFile(userFile, JSON.stringify({ mcpServers: two, inputs: keyInputs }));
    const typed = await project.converse(["mcp", "login", "one"], {}, [["API key", "s3cret-value\r"]]);
    expect(typed.code).toBe(0);
    const secrets = () => readFile(path.join(project.dataDir, "servers/secrets.json"), "utf8");
    await fine("remove", "one");
    expect(await secrets()).toContain("s3cret-value");
    await fine("remove", "two");
    expect(await secrets()).not.toContain("s3cret");
  });

  it("come from the environment, which is named if there is nobody to ask", async () => {
    await configure({ keyed }, { inputs: keyInputs });
    await fine("add", "--project", "keyed");
    const { code, stderr } = await mcp("test", "keyed");
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        "nekode: a value is required, and there is no terminal to ask on; set the environment variable NEKODE_INPUT_API_KEY\n",
    });
    const set = await project.run(["mcp", "test", "keyed"], { NEKODE_INPUT_API_KEY: "given" });
    expect(set.stderr).toContain("KEY=given");
  });
});

describe("signing in", () => {
  it("says why it failed, in the user's language", async () => {
    const server = await startAuthorizationServer({ noPkce: true });
    onTestFinished(() => server.close());
    await fine("add", "guarded", "--url", server.url);
    expect(await mcp("login", "guarded")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^nekode: Signing in to guarded failed: the authorization server \S+ does not support PKCE/,
      ),
    });
    const inJapanese = await project.run(["mcp", "login", "guarded"], { LANG: "ja_JP.UTF-8" });
    expect(inJapanese.stderr).toMatch(
      /^nekode: guarded へのサインインに失敗しました: 認可サーバー \S+ が、サインインを保護する PKCE に対応していません/,
    );
  });
});
