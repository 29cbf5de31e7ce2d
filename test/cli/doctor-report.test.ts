/** `nekode doctor --report`: what users, machines and companies are called, and every key, stays out of it, wherever it stands. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Project } from "./support.ts";

/** Everything that is private has this in it, in one letter case or another. */
const CANARY = "wolpertinger";

let project: Project;
let home: string;
let server: Server | undefined;

beforeEach(async () => {
  project = await Project.create({});
  home = path.join(project.dataDir, `../home/${CANARY}`);
  await mkdir(path.join(home, ".config/nekode"), { recursive: true });
});
afterEach(async () => {
  server?.close();
  server = undefined;
  await project.remove();
});

/** An endpoint that refuses every request, and says more than it should. */
async function refusing(words: string): Promise<string> {
  server = createServer((request, response) => {
    request.resume();
    response.writeHead(400, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message: `${words} ${request.headers.authorization}` } }));
  });
  const listening = server;
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}/v1`;
}

const PRIVATE = () => ({
  HOME: home,
  USER: CANARY,
  LOGNAME: CANARY.toUpperCase(),
  HOSTNAME: `${CANARY}-laptop`,
  GIT_AUTHOR_EMAIL: `${CANARY}@firm.example`,
  HTTPS_PROXY: `http://u:${CANARY}@proxy.${CANARY}.example:3128`,
  NEKODE_API_KEY: `sk-${CANARY}-0123456789abcdefghij`,
  GATEWAY_KEY: `${CANARY}.key.of.gateway`,
  NEKODE_SEARCH_API_KEY: `${CANARY}-search-0123456789`,
  TERM_PROGRAM: CANARY,
  LANG: "ja_JP.UTF-8",
});

async function configure(): Promise<void> {
  const config = {
    connections: [
      {
        name: `${CANARY}-gateway`,
        api: "responses",
        baseUrl: `https://llm.${CANARY}.example/v1?team=${CANARY}`,
        headers: { [`x-${CANARY}`]: `${CANARY}-header-value` },
        keyEnv: "GATEWAY_KEY",
        proxy: `http://${CANARY}.local:3128`,
      },
      { name: "local", baseUrl: "http://localhost:11434/v1" },
      { name: "lan", baseUrl: "http://192.168.77.42:8000/v1" },
      { name: "openai", baseUrl: "https://api.openai.com/v1" },
    ],
    model: `${CANARY}-gateway/qwen3-coder-${CANARY}`,
    models: { [`${CANARY}*`]: { contextWindow: 32768 } },
    commands: { allow: [`${CANARY} --deploy`] },
    web: { privateHosts: [`${CANARY}:3000`] },
    search: { provider: "searxng", url: `https://search.${CANARY}.example` },
    customInstructions: `Say hello to ${CANARY}`,
    permission: "edits",
  };
  await writeFile(path.join(home, ".config/nekode/config.json"), JSON.stringify(config));
  const servers = {
    [CANARY]: { command: `/opt/${CANARY}/server`, args: [CANARY], env: { TOKEN: `${CANARY}-token-01` } },
    web: { url: `https://mcp.${CANARY}.example/mcp`, headers: { Authorization: `Bearer ${CANARY}-bearer` } },
  };
  await writeFile(path.join(home, ".config/nekode/mcp.json"), JSON.stringify({ mcpServers: servers }));
  const own = { [`p-${CANARY}`]: { command: "node", args: [CANARY], disabled: true } };
  await project.write({ ".mcp.json": JSON.stringify({ mcpServers: own }) });
}

it("leaves out everything private, in both forms, and says what is needed", async () => {
  await configure();
  const words = `no such deployment for ${CANARY} at ${home}/plans/a.ts, ${project.folder}/src/b.ts, 10.20.30.40, llm.${CANARY}.example: key`;
  const url = await refusing(words);
  const failed = await project.run(["--base-url", url, "--model", "m", "hello"], PRIVATE());
  expect(failed.code).toBe(1);
  const stored = await readFile(path.join(project.dataDir, "errors/last.json"), "utf8");
  expect(stored).toContain("no such deployment");
  expect(stored).not.toContain("0123456789abcdefghij");

  const text = await project.run(["doctor", "--report"], PRIVATE());
  const json = await project.run(["doctor", "--report", "--json"], PRIVATE());
  expect([text.code, json.code], text.stderr).toEqual([0, 0]);
  for (const { stdout, stderr } of [text, json]) {
    const printed = (stdout + stderr).toLowerCase();
    for (const word of [CANARY, path.basename(path.dirname(project.folder)), "192.168.", "10.20.30", "3128"])
      expect(printed).not.toContain(word.toLowerCase());
  }
  const report = JSON.parse(json.stdout);
  expect(report).toMatchObject({
    nekode: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    host: "terminal",
    node: process.versions.node,
    terminal: { shell: "bash", program: "other", language: "ja" },
    git: expect.stringMatching(/^\d+\.\d+/),
    model: "qwen",
    connections: [
      { api: "responses", host: "another computer", key: true, headers: 1, proxy: true, isUsed: true },
      { host: "this computer", encrypted: false, key: false, isUsed: false },
      { host: "private network" },
      { host: "openai", encrypted: true },
    ],
    servers: {
      total: 3,
      disabled: 1,
      sources: ["project 1", "user 2"],
      transports: [expect.any(String), "stdio 2"],
    },
    configuration: { fault: null, unknownKeys: 1 },
    errors: [{ code: "bad-request", detail: expect.stringContaining("no such deployment for [name]") }],
  });
  expect(report.errors[0].detail).toContain("[workspace]/src/b.ts");
  expect(report.errors[0].detail).toContain("~/…/a.ts");
  expect(report.settings).toEqual(
    expect.arrayContaining(["connections", "models", "approval.edit", "customInstructions", "search.url"]),
  );
  expect(text.stdout).toMatch(/^- Nekode: .*\n- System: /);
  expect(text.stdout).toContain("- Changed settings: provider.model, connections, models, approval.edit");
});

it("reports about an installation whose configuration cannot be read", async () => {
  await writeFile(path.join(home, ".config/nekode/config.json"), "{ broken");
  const { code, stdout } = await project.run(["doctor", "--report"], PRIVATE());
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining("- Configuration: not-json, unknown keys: 0\n"),
  ]);
  const wrong = await project.run(["doctor", "--report", "http://127.0.0.1:1/v1"]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("--report accepts no model")]);
});
