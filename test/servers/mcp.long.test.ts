/**
 * MCP servers that others wrote: each is listed, called, called with arguments that it refuses, killed during a call, and called again. A
 * service that is not reached from here, or that wants a key, answers with an error of its own, which the model must get.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import http from "node:http";
import path from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { Project } from "../cli/support.ts";
import { listenAnew } from "../model-server/port.ts";
import { type ModelServer, type ScriptTurn, startModelServer } from "../model-server/server.ts";
import { freePort } from "../support/free-port.ts";
import { processesNaming } from "../support/processes.ts";
import { type ForeignPackage, foreignPackage } from "./foreign-package.ts";
import { writeTable } from "./table.ts";

interface Place {
  folder: string;
  /** Where a service of the test answers. */
  service: string;
}

interface Served {
  name: string;
  package: string;
  args?: string[];
  env?: (place: Place) => Record<string, string>;
  call: [tool: string, args: (place: Place) => unknown];
  /** What the result of the call contains. */
  result: RegExp;
  refused: [tool: string, args: (place: Place) => unknown];
  refusal: RegExp;
}

const PIE = { data: [{ category: "cats", value: 2 }], title: "Cats" };

const SERVERS: Served[] = [
  {
    name: "sequential-thinking",
    package: "@modelcontextprotocol/server-sequential-thinking",
    call: [
      "sequentialthinking",
      () => ({ thought: "One.", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }),
    ],
    result: /"thoughtNumber": 1/,
    refused: ["sequentialthinking", () => ({ thought: { deep: true } })],
    refusal: /thought/,
  },
  {
    name: "git",
    package: "@cyanheads/git-mcp-server",
    call: ["git_status", ({ folder }) => ({ path: folder })],
    result: /main/,
    refused: ["git_show", ({ folder }) => ({ path: folder, object: "nowhere" })],
    refusal: /nowhere|not found|unknown revision/i,
  },
  {
    name: "eslint",
    package: "@eslint/mcp",
    call: ["lint-files", ({ folder }) => ({ filePaths: [path.join(folder, "a.js")] })],
    result: /no-unused-vars|a\.js/,
    refused: ["lint-files", () => ({ filePaths: [] })],
    refusal: /filePaths/,
  },
  {
    name: "drawio",
    package: "@drawio/mcp",
    call: ["list_pages", ({ folder }) => ({ path: path.join(folder, "a.drawio") })],
    result: /First page/,
    refused: ["list_pages", () => ({ path: "nowhere.drawio" })],
    refusal: /nowhere|ENOENT|not found/i,
  },
  {
    name: "mongodb",
    package: "mongodb-mcp-server",
    env: () => ({ MDB_MCP_TELEMETRY: "disabled" }),
    call: ["list-connections", () => ({})],
    result: /connection/i,
    refused: ["connect", () => ({ connectionString: "nonsense" })],
    refusal: /connection string|invalid|scheme/i,
  },
  {
    name: "chart",
    package: "@antv/mcp-server-chart",
    env: ({ service }) => ({ VIS_REQUEST_SERVER: service }),
    call: ["generate_pie_chart", () => PIE],
    result: /drawn\.png/,
    refused: ["generate_pie_chart", () => ({ data: "cats" })],
    refusal: /data/,
  },
  {
    name: "notion",
    package: "@notionhq/notion-mcp-server",
    env: () => ({ NOTION_TOKEN: "ntn_none" }),
    call: ["API-get-self", () => ({})],
    result: /error|ENOTFOUND|EAI_AGAIN|fetch failed|401|unauthorized/i,
    refused: ["API-retrieve-a-page", () => ({})],
    refusal: /page_id|error/i,
  },
  {
    name: "context7",
    package: "@upstash/context7-mcp",
    call: ["resolve-library-id", () => ({ query: "routing", libraryName: "react" })],
    result: /error|failed|fetch/i,
    refused: ["query-docs", () => ({})],
    refusal: /libraryId/,
  },
  {
    name: "brave-search",
    package: "@brave/brave-search-mcp-server",
    env: () => ({ BRAVE_API_KEY: "none" }),
    call: ["brave_web_search", () => ({ query: "cats" })],
    result: /error|failed|fetch/i,
    refused: ["brave_web_search", () => ({ count: 5 })],
    refusal: /query/,
  },
  {
    name: "figma",
    package: "figma-developer-mcp",
    args: ["--stdio"],
    env: () => ({ FIGMA_API_KEY: "none" }),
    call: ["get_figma_data", () => ({ fileKey: "abc" })],
    result: /error|failed|fetch/i,
    refused: ["get_figma_data", () => ({ fileKey: "not a key" })],
    refusal: /fileKey/,
  },
];

const RELAY = path.join(import.meta.dirname, "relay.mjs");
/** Nothing is reported to anybody, and no server looks for a newer version of itself. */
const QUIET = { DO_NOT_TRACK: "1", NO_UPDATE_NOTIFIER: "1", CI: "1" };

const rows: (string | number)[][] = [];
let model: ModelServer;
let project: Project;
let service: http.Server;
let place: Place;

beforeEach(async () => {
  model = await startModelServer();
  project = await Project.create({
    "a.js": "const unused = 1;\n",
    "a.drawio":
      '<mxfile><diagram id="1" name="First page"><mxGraphModel><root/></mxGraphModel></diagram></mxfile>',
    "eslint.config.mjs": 'export default [{ rules: { "no-unused-vars": "error" } }];\n',
  });
  project.commit();
  // What draws the charts of the chart server.
  service = http.createServer((_request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ success: true, resultObj: "http://127.0.0.1/drawn.png" }));
  });
  place = { folder: project.folder, service: `http://127.0.0.1:${await listenAnew(service)}/` };
});
afterEach(async () => {
  await expect.poll(() => processesNaming(project.folder)).toEqual([]);
  await model.close();
  service.closeAllConnections();
  service.close();
  await project.remove();
});
afterAll(() =>
  writeTable(
    "mcp",
    [
      ...["server", "version", "transport", "tools#", "called", "arguments that it refuses"],
      ...["killed during a call", "called after that"],
    ],
    rows,
  ),
);

/** Four calls: a good one, one that is refused, one during which the server is killed, and the good one again. */
function turnsOf({ call, refused }: Served): ScriptTurn[] {
  const use = ([tool, args]: Served["call"], pause: object[] = []) =>
    ({
      answer: [
        ...pause,
        {
          tool: "use_mcp_tool",
          params: { server_name: "tried", tool_name: tool, arguments: JSON.stringify(args(place)) },
        },
      ],
    }) as ScriptTurn;
  const done = { answer: [{ tool: "attempt_completion", params: { result: "All done." } }] };
  return [use(call), use(refused), use(call, [{ hold: "kill" }]), use(call, [{ hold: "again" }]), done];
}

/** The texts of the results, one for each call. */
function results(): string[] {
  return model.requests.slice(1).map(({ chat }) => {
    const content = chat?.messages.at(-1)?.content;
    return typeof content === "string" ? content : (content ?? []).map(({ text = "" }) => text).join("\n");
  });
}

/** Runs the task, with `kill` and `again` at the moments before the last two calls. Returns the texts of the four results. */
async function tryServer(
  served: Served,
  kill: () => Promise<void>,
  again = async () => {},
): Promise<string[]> {
  model.setScript({ turns: turnsOf(served) });
  const env = { NEKODE_BASE_URL: model.url, NEKODE_MODEL: "scripted" };
  const { ended } = project.start(["--protocol", "xml", "--approve", "mcp", "--json", "try it"], env);
  const early = ended.then(({ code, stderr, stdout }) => {
    throw new Error(`ended with ${code}: ${stderr}\n${stdout.slice(-2_000)}`);
  });
  early.catch(() => undefined);
  for (const [name, then] of [
    ["kill", kill],
    ["again", again],
  ] as const) {
    await Promise.race([model.waitForHold(name), early]);
    await then();
    model.release(name);
  }
  const { code, stderr } = await ended;
  expect(code, stderr).toBe(0);
  expect(model.refusals).toEqual([]);
  return results();
}

function check(served: Served, [called = "", refused = "", killed = "", again = ""]: string[]): string[] {
  expect(called).toMatch(served.result);
  expect(refused).toMatch(served.refusal);
  expect(killed).toMatch(/ended|closed|lost|terminated|reached/i);
  expect(again).toMatch(served.result);
  const isError = /The tool reported an error|answered with an error/.test(called);
  return [isError ? "its own error" : "a result", "its own error", "named", "as before"];
}

const toolCount = (text: string) => Number(/^Tools: (\d+)$/m.exec(text)?.[1] ?? Number.NaN);

async function add(...args: string[]): Promise<number> {
  const added = await project.spawn(["mcp", "add", "tried", ...args]);
  expect(added.code, added.stderr).toBe(0);
  const { code, stdout, stderr } = await project.spawn(["mcp", "test", "tried"]);
  expect(code, stderr).toBe(0);
  return toolCount(stdout);
}

describe("over standard streams", () => {
  it.each(SERVERS)("$name", async (served) => {
    const { version, program } = foreignPackage(served.package);
    const flag = path.join(project.folder, "..", "kill");
    const variables = { ...QUIET, RELAY_KILL: flag, ...served.env?.(place) };
    const settings = Object.entries(variables).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
    const command = [process.execPath, RELAY, process.execPath, program, ...(served.args ?? [])];
    const tools = await add(...settings, "--", ...command);
    expect(tools).toBeGreaterThan(0);
    const found = await tryServer(served, () => writeFile(flag, ""));
    rows.push([served.name, version, "standard streams", tools, ...check(served, found)]);
  });
});

/** Passes requests on to a server, and kills it when a call comes after `armed` was set. */
class HttpRelay {
  armed = false;
  readonly #http = http.createServer((request, response) => void this.#pass(request, response));
  readonly #target: number;
  readonly #kill: () => void;

  constructor(target: number, kill: () => void) {
    this.#target = target;
    this.#kill = kill;
  }

  listen(): Promise<number> {
    return listenAnew(this.#http);
  }

  close(): void {
    this.#http.closeAllConnections();
    this.#http.close();
  }

  async #pass(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray());
    if (this.armed && body.includes('"tools/call"')) {
      this.armed = false;
      this.#kill();
      response.destroy();
      return;
    }
    const { method, url: path, headers } = request;
    const to = { host: "127.0.0.1", port: this.#target, method, path, headers };
    http
      .request(to, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response).on("error", () => undefined);
        answer.on("error", () => response.destroy());
      })
      .on("error", () => response.destroy())
      .end(body);
  }
}

/** Starts a server over HTTP, and returns as soon as it says that it listens. */
async function serve({ program }: ForeignPackage, port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, project.folder], {
    cwd: project.folder,
    env: {
      ...project.environment,
      ...QUIET,
      ...{ MCP_TRANSPORT_TYPE: "http", MCP_HTTP_HOST: "127.0.0.1", MCP_HTTP_PORT: `${port}` },
    },
  });
  await new Promise<void>((resolve, reject) => {
    let said = "";
    const hear = (text: string) => {
      said += text;
      if (LISTENS.test(said)) resolve();
    };
    child.stdout.setEncoding("utf8").on("data", hear);
    child.stderr.setEncoding("utf8").on("data", hear);
    child.once("exit", () => reject(new Error(`the server ended: ${said.slice(-2_000)}`)));
  });
  return child;
}

const LISTENS = /HTTP transport (?:started|listening|ready|is)/i;

describe("over HTTP", () => {
  it("git, whose sessions end with it", async () => {
    const served = SERVERS.find(({ name }) => name === "git") as Served;
    const found = foreignPackage(served.package);
    const port = await freePort();
    let server = await serve(found, port);
    const relay = new HttpRelay(port, () => server.kill("SIGKILL"));
    try {
      const tools = await add("--url", `http://127.0.0.1:${await relay.listen()}/mcp`);
      const said = await tryServer(
        served,
        async () => {
          relay.armed = true;
        },
        async () => {
          server = await serve(found, port);
        },
      );
      rows.push([served.name, found.version, "HTTP", tools, ...check(served, said)]);
    } finally {
      relay.close();
      const ended = once(server, "close");
      server.kill("SIGKILL");
      await ended;
    }
  });
});
