/** Remote servers that hang, flood, redirect, answer nonsense or forget the session. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import path from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Interrupt, ToolError } from "../../../../src/core/errors.ts";
import type { ServerLaunch } from "../../../../src/core/ports/servers.ts";
import { failureOf, ServerError } from "../../../../src/core/servers/server-error.ts";
import { type Fault, reasonOf } from "../../../../src/shared/reason.ts";
import { reasonInEnglish, reasonWords } from "../../../../src/shared/words/reasons/reasons.ts";
import { translator } from "../../../../src/shared/words/task-words.ts";
import { freePort } from "../../../support/free-port.ts";
import { gate } from "../../../support/gate.ts";
import { holdTimers } from "../../../support/timers.ts";
import { connected, connector, neverAborted, recordedEvents } from "./support.ts";

const options = { signal: neverAborted, timeoutMs: 20_000 };
const bundle = readFileSync(path.join(import.meta.dirname, "../../../../l10n/bundle.l10n.ja.json"), "utf8");
const japanese = translator(JSON.parse(bundle));
const BIG = "x".repeat(1024 * 1024);

interface Message {
  id?: number;
  method?: string;
}

type Answer = (message: Message, request: IncomingMessage, response: ServerResponse) => void;

/** A server on this machine that answers as `answer` says. */
async function remote(
  answer: Answer,
): Promise<{ launch: ServerLaunch & { url: string }; seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    void text(request).then((body) => answer(body === "" ? {} : JSON.parse(body), request, response));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  const url = `http://127.0.0.1:${address.port}/mcp`;
  return { launch: { type: "http", url, headers: { "x-key": "secret" } }, seen };
}

const INITIALIZED = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {} },
  serverInfo: { name: "remote", version: "1.0.0" },
};
const RESULTS: Record<string, unknown> = {
  initialize: INITIALIZED,
  "tools/list": { tools: [] },
};

/** What a proper server answers, except to calls of tools. */
function proper({ id, method = "" }: Message, response: ServerResponse): void {
  if (id === undefined) {
    response.writeHead(method === "" ? 405 : 202).end();
    return;
  }
  const result = RESULTS[method];
  const reply = result ? { result } : { error: { code: -32601, message: "Method not found" } };
  response.writeHead(200, { "content-type": "application/json", "mcp-session-id": "one" });
  response.end(JSON.stringify({ jsonrpc: "2.0", id, ...reply }));
}

const onCall =
  (answer: Answer): Answer =>
  (message, request, response) =>
    message.method === "tools/call" ? answer(message, request, response) : proper(message, response);

async function failure(launch: ServerLaunch, timeoutMs = 20_000): Promise<unknown> {
  const own = await connector();
  return own
    .connect("sample", launch, recordedEvents(), { signal: neverAborted, timeoutMs })
    .catch((error: unknown) => error);
}

describe("the connection to a remote server", () => {
  it("is refused by an address where nothing listens", async () => {
    const address = `127.0.0.1:${await freePort()}`;
    const error = await failure({ type: "http", url: `http://${address}/mcp`, headers: {} });
    expect(error).toBeInstanceOf(ServerError);
    expect(failureOf(error)).toEqual({ reason: reasonOf("mcp-connection-refused", address) });
    expect(String(error)).toBe(`ToolError: MCP server sample: no server accepts connections at ${address}.`);
  });

  it("does not repeat secrets that the server repeats in an error", async () => {
    const { launch } = await remote(
      onCall((_, { rawHeaders }, response) =>
        response.writeHead(500).end(`It failed. Received: ${rawHeaders.join(" ")}`),
      ),
    );
    const headers = { "X-Key": "a long secret key", Authorization: "Bearer tokentokentoken", Other: "short" };
    const connection = await connected({ type: "http", url: launch.url, headers });
    const error = String(await connection.callTool("any", {}, options).catch((thrown: unknown) => thrown));
    expect(error).toContain("It failed. Received:");
    expect(error).toContain("[removed]");
    for (const secret of ["secret key", "tokentoken"]) expect(error).not.toContain(secret);
  });

  it("is not made over a certificate that this computer does not trust", async () => {
    const folder = path.join(import.meta.dirname, "../../../fixtures/tls");
    const [key, cert] = ["key.pem", "certificate.pem"].map((name) => readFileSync(path.join(folder, name)));
    const server = createTlsServer({ key, cert }, (_, response) => response.end()).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const error = await failure({ type: "http", url: `https://127.0.0.1:${port}/mcp`, headers: {} });
    expect(failureOf(error).reason.code).toBe("mcp-certificate");
    expect(failureOf(error).reason.values[0]).toMatch(/certificate/);
  });

  it("is not made to a host that does not exist", async () => {
    const error = await failure({ type: "http", url: "http://no-such-host.invalid/mcp", headers: {} });
    expect(failureOf(error).reason).toEqual(reasonOf("no-address", "no-such-host.invalid"));
  });

  it("follows no redirect to another origin, and sends it nothing", async () => {
    const other = await remote((message, _, response) => proper(message, response));
    const { launch } = await remote((_, __, response) => {
      response.writeHead(307, { location: other.launch.url }).end();
    });
    expect(String(await failure(launch))).toContain(
      "MCP server sample: the server redirects to another address",
    );
    expect(other.seen).toEqual([]);
  });

  it.each<[string, Answer, Fault["code"], RegExp]>([
    [
      "a page",
      (_, __, response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>Hello"),
      "mcp-answer-invalid",
      /content type/i,
    ],
    [
      "an error",
      (_, __, response) => response.writeHead(500).end("out of\u200b cats"),
      "mcp-status",
      /^500 Internal Server Error: out of cats$/,
    ],
    ["a denial", (_, __, response) => response.writeHead(403).end(), "mcp-denied", /^403 Forbidden$/],
    [
      "an error of the protocol",
      ({ id }, _, response) =>
        response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_000, message: "out of cats" } })),
      "mcp-error",
      /^-32000: out of cats$/,
    ],
    [
      "a protocol version of the future",
      ({ id, method = "" }, _, response) =>
        method === "initialize"
          ? response.writeHead(200, { "content-type": "application/json" }).end(
              JSON.stringify({
                jsonrpc: "2.0",
                id,
                result: { ...INITIALIZED, protocolVersion: "2099-01-01" },
              }),
            )
          : proper({ ...(id === undefined ? {} : { id }), method }, response),
      "mcp-version",
      /^$/,
    ],
    [
      "more than 10 MB",
      (_, __, response) =>
        response.writeHead(200, { "content-type": "application/json" }).end(BIG.repeat(11)),
      "mcp-too-much",
      /^$/,
    ],
    [
      "text that is not JSON",
      (_, __, response) => response.writeHead(200, { "content-type": "application/json" }).end("{"),
      "mcp-answer-invalid",
      /JSON/,
    ],
  ])("is explained when it answers with %s", async (_, answer, code, value) => {
    const { launch } = await remote(answer);
    const error = await failure(launch);
    expect(error).toBeInstanceOf(ToolError);
    expect(String(error)).toMatch(/^ToolError: MCP server sample: /);
    const { reason } = failureOf(error);
    expect(reason.code).toBe(code);
    expect(reason.values[0] ?? "").toMatch(value);
    // The model reads English, people their language.
    expect(String(error)).toContain(`${reasonInEnglish(reason)}.`);
    expect(reasonWords(japanese, reason)).toMatch(/サーバー/);
  });

  it("ends with the time limit when it does not answer", async () => {
    const { launch } = await remote(() => {});
    expect(String(await failure(launch, 500))).toContain("the server did not answer within 1 s");
  });

  it("ends when the caller stops", async () => {
    const stop = new AbortController();
    const { launch } = await remote(() => stop.abort());
    const connecting = (await connector()).connect("sample", launch, recordedEvents(), {
      signal: stop.signal,
      timeoutMs: 20_000,
    });
    await expect(connecting).rejects.toBeInstanceOf(Interrupt);
  });

  it("sends the configured headers, and tells the server when its session is over", async () => {
    const { launch, seen } = await remote((message, _, response) => proper(message, response));
    const connection = await connected(launch);
    await connection.close();
    expect(new Set(seen.map(({ headers }) => headers["x-key"]))).toEqual(new Set(["secret"]));
    expect(seen.at(-1)).toMatchObject({ method: "DELETE", headers: { "mcp-session-id": "one" } });
    expect(await connection.closed).toEqual(reasonOf("mcp-closed"));
  });
});

describe("a remote server of an older protocol version", () => {
  const failing =
    (until = Number.POSITIVE_INFINITY): Answer =>
    (message, _request, response) => {
      const isKnown = message.method === undefined || message.method in RESULTS || message.id === undefined;
      if (isKnown && until > 0) proper(message, response);
      else response.writeHead(500).end('{"error":"in httpTransport"}');
    };

  it("that fails when it is asked for its version is connected as an older one, and not asked again", async () => {
    const { launch, seen } = await remote(failing());
    const own = await connector();
    for (const requests of [3, 2]) {
      seen.length = 0;
      const connection = await own.connect("sample", launch, recordedEvents(), options);
      onTestFinished(() => connection.close());
      expect(await connection.tools(neverAborted)).toEqual([]);
      expect(seen.filter(({ method }) => method === "POST")).toHaveLength(requests + 1);
    }
  });

  it("that always fails is named with its answer", async () => {
    const { launch } = await remote(failing(0));
    expect(failureOf(await failure(launch)).reason.code).toBe("mcp-status");
  });
});

describe("a call of a remote server", () => {
  it("that answers with more than 10 MB ends, and the next one works", async () => {
    let calls = 0;
    const { launch } = await remote(
      onCall(({ id }, _, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        const size = calls++ === 0 ? 11 : 1;
        const content = [{ type: "text", text: BIG.repeat(size) }];
        response.end(JSON.stringify({ jsonrpc: "2.0", id, result: { content } }));
      }),
    );
    const connection = await connected(launch);
    await expect(connection.callTool("any", {}, options)).rejects.toThrow(
      "the server sent more than 10 MB at once",
    );
    expect((await connection.callTool("any", {}, options)).content).toHaveLength(1);
  });

  it("that streams an endless event ends", async () => {
    const { launch } = await remote(
      onCall((_, __, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write("data: ");
        const more = () => {
          if (!response.destroyed) response.write(BIG, () => setImmediate(more));
        };
        more();
      }),
    );
    const cut = gate();
    const log = (line: string) => void (line.includes("more than 10 MB") && cut.open());
    const connection = await connected(launch, recordedEvents({ log }));
    // The stream ends, and with it the hope for an answer, which no time is left for then.
    holdTimers();
    const call = connection.callTool("any", {}, { signal: neverAborted, timeoutMs: 3_000 });
    call.catch(() => {});
    await cut.passed;
    vi.advanceTimersByTime(3_000);
    await expect(call).rejects.toBeInstanceOf(ToolError);
  });

  it("whose events together are larger than 10 MB works", async () => {
    const { launch } = await remote(
      onCall(({ id }, _, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        const send = (message: unknown) =>
          response.write(`event: message\r\ndata: ${JSON.stringify(message)}\r\n\r\n`);
        for (let n = 0; n < 11; n++)
          send({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: BIG } });
        send({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "done" }] } });
        response.end();
      }),
    );
    const connection = await connected(launch);
    expect((await connection.callTool("any", {}, options)).content).toEqual([{ type: "text", text: "done" }]);
  });

  it("of a session that the server forgot closes the connection", async () => {
    const { launch } = await remote(
      onCall((_, __, response) => response.writeHead(404).end("Session not found")),
    );
    const connection = await connected(launch);
    await expect(connection.callTool("any", {}, options)).rejects.toThrow(
      "“404 Not Found: Session not found”",
    );
    expect(await connection.closed).toEqual(reasonOf("mcp-closed"));
  });

  it("that is canceled ends at once, and the server is told", async () => {
    const told: Message[] = [];
    const stop = new AbortController();
    const { launch } = await remote((message, _, response) => {
      if (message.method === "notifications/cancelled") told.push(message);
      if (message.method === "tools/call") stop.abort();
      else proper(message, response);
    });
    const connection = await connected(launch);
    await expect(
      connection.callTool("any", {}, { signal: stop.signal, timeoutMs: 20_000 }),
    ).rejects.toBeInstanceOf(Interrupt);
    await expect.poll(() => told.length).toBe(1);
  });
});
