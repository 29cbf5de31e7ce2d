/** The subscription to changes of a server's lists: opened again, with growing delays, and never after the end. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import path from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Clock } from "../../../../src/core/ports/system.ts";
import {
  ListSubscription,
  type OpenSubscription,
} from "../../../../src/node/servers/lists/list-subscription.ts";
import { buildBundle, connected, neverAborted, productFolder, recordedEvents } from "./support.ts";

const META = "io.modelcontextprotocol/";

/** Time passes when the test says so. */
function testClock() {
  let now = 0;
  const timers = new Map<object, { at: number; run: () => void }>();
  const clock: Clock = {
    now: () => new Date(now),
    after(ms, run) {
      const key = {};
      timers.set(key, { at: now + ms, run });
      return { dispose: () => void timers.delete(key) };
    },
  };
  /** Milliseconds until the only timer, which then runs. */
  const next = () => {
    expect(timers.size).toBe(1);
    const [entry] = timers;
    if (!entry) throw new Error("nothing waits");
    const [key, { at, run }] = entry;
    timers.delete(key);
    const waited = at - now;
    now = at;
    run();
    return waited;
  };
  const pass = (ms: number) => {
    now += ms;
  };
  return { clock, timers, next, pass };
}

function subscription() {
  const time = testClock();
  const ends: (() => void)[] = [];
  const lines: string[] = [];
  const state = { opened: 0, reopened: 0, fails: false };
  const opened = (): OpenSubscription => ({ closed: new Promise<void>((resolve) => ends.push(resolve)) });
  const kept = new ListSubscription(
    {
      clock: time.clock,
      log: { add: (line) => void lines.push(line), note: (line) => void lines.push(line) },
      reopened: () => void state.reopened++,
      open: async () => {
        state.opened++;
        if (state.fails) throw new Error("nothing answers");
        return opened();
      },
    },
    opened(),
  );
  /** The open subscription ends. */
  const drop = async () => {
    ends.at(-1)?.();
    await new Promise(setImmediate);
  };
  return { ...time, kept, state, lines, drop };
}

describe("the subscription to changes", () => {
  it("is opened again after growing delays, a limited number of times", async () => {
    const { kept, state, lines, timers, next, drop } = subscription();
    state.fails = true;
    await drop();
    const delays: number[] = [];
    while (timers.size > 0) {
      delays.push(next());
      await new Promise(setImmediate);
    }
    expect(delays).toEqual([1_000, 2_000, 5_000, 15_000, 60_000]);
    expect(state).toMatchObject({ opened: 5, reopened: 0 });
    expect(lines.at(-1)).toContain("could not be opened again");
    // An answer of the server is worth one more attempt, and only one.
    kept.answered();
    kept.answered();
    await new Promise(setImmediate);
    expect(state.opened).toBe(6);
    expect(timers.size).toBe(0);
    state.fails = false;
    kept.answered();
    await new Promise(setImmediate);
    expect(state).toMatchObject({ opened: 7, reopened: 1 });
    kept.answered();
    expect(state.opened).toBe(7);
  });

  it("that held for a while begins anew with its delays", async () => {
    const { state, next, drop, pass } = subscription();
    await drop();
    expect(next()).toBe(1_000);
    await new Promise(setImmediate);
    await drop();
    expect(next()).toBe(2_000);
    await new Promise(setImmediate);
    pass(10_000);
    await drop();
    expect(next()).toBe(1_000);
    await new Promise(setImmediate);
    expect(state).toMatchObject({ opened: 3, reopened: 3 });
  });

  it("is not opened after the end, and leaves no timer", async () => {
    const waiting = subscription();
    await waiting.drop();
    waiting.kept.stop();
    expect(waiting.timers.size).toBe(0);
    const open = subscription();
    open.kept.stop();
    await open.drop();
    open.kept.answered();
    expect(open.timers.size).toBe(0);
    expect(open.state.opened).toBe(0);
  });
});

/** A server of 2026-07-28 on this machine, whose streams a test can end. */
async function modernServer() {
  const tools = ["first"];
  const streams = new Map<string, ServerResponse>();
  const seen: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { id, method } = JSON.parse(body || "{}");
      seen.push(method);
      if (id === undefined) {
        response.writeHead(202).end();
        return;
      }
      if (method === "subscriptions/listen") {
        streams.set(id, response);
        response.writeHead(200, { "content-type": "text/event-stream" });
        send(response, "notifications/subscriptions/acknowledged", id, {
          notifications: { toolsListChanged: true },
        });
        return;
      }
      const results: Record<string, object> = {
        "server/discover": {
          supportedVersions: ["2026-07-28"],
          capabilities: { tools: { listChanged: true } },
          _meta: { [`${META}serverInfo`]: { name: "modern", version: "1" } },
        },
        "tools/call": { content: [] },
        "tools/list": { tools: tools.map((name) => ({ name, inputSchema: { type: "object" } })) },
      };
      // As a proxy that is restarted does.
      if (method === "tools/call") for (const stream of streams.values()) stream.destroy();
      const result = { resultType: "complete", ttlMs: 0, cacheScope: "private", ...results[method] };
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    });
  }).listen(0, "127.0.0.1");
  const send = (response: ServerResponse, method: string, id: string, params: object) =>
    response.write(
      `data: ${JSON.stringify({ jsonrpc: "2.0", method, params: { _meta: { [`${META}subscriptionId`]: id }, ...params } })}\n\n`,
    );
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return {
    tools,
    streams,
    seen,
    launch: { type: "http" as const, url: `http://127.0.0.1:${address.port}/mcp`, headers: {} },
    change: () => {
      const [id, response] = [...streams].at(-1) ?? [];
      if (id !== undefined && response) send(response, "notifications/tools/list_changed", id, {});
    },
    /** Ends the newest stream. */
    drop: () => [...streams.values()].at(-1)?.destroy(),
  };
}

describe("a remote server whose stream of changes drops", () => {
  it("is subscribed to again, and what changed meanwhile is read", async () => {
    const server = await modernServer();
    const events = recordedEvents();
    const connection = await connected(server.launch, events);
    expect(connection.info.protocol).toBe("2026-07-28");
    const names = async () => (await connection.tools(neverAborted)).map(({ name }) => name);
    expect(await names()).toEqual(["first"]);
    server.drop();
    server.tools.push("second");
    await expect.poll(() => events.changes).toEqual(["tools"]);
    expect(server.streams.size).toBe(2);
    expect(await names()).toEqual(["first", "second"]);
    server.tools.push("third");
    server.change();
    await expect.poll(() => events.changes).toEqual(["tools", "tools"]);
    expect(await names()).toEqual(["first", "second", "third"]);
  });

  it("is left alone once the connection is closed, and keeps nothing running", async () => {
    const server = await modernServer();
    const folder = await productFolder();
    const host = await buildBundle("cli", folder, path.join(import.meta.dirname, "closing-host.ts"));
    const child = spawn(process.execPath, [host, server.launch.url], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const exited = once(child, "exit");
    expect(await text(child.stdout)).toBe("closed\n");
    expect(await exited).toEqual([0, null]);
    expect(server.seen.filter((method) => method === "subscriptions/listen")).toHaveLength(1);
  });
});
