/** The life of servers: nothing starts before it is needed, failures are bounded, and nothing is left running. */
import { describe, expect, it } from "vitest";
import { Interrupt } from "../../../../src/core/errors.ts";
import type { Clock } from "../../../../src/core/ports/system.ts";
import { SessionLostError } from "../../../../src/core/servers/server-error.ts";
import type { ServerUser } from "../../../../src/core/servers/server-types.ts";
import { reasonOf } from "../../../../src/shared/reason.ts";
import { gate } from "../../../support/gate.ts";
import { definitionOf, memoryServers, serverTool } from "../../../support/memory-servers.ts";

const never = new AbortController().signal;
const user = (session = "s"): ServerUser => ({ session, ask: async () => ({ action: "cancel" }) });
const options = { signal: never };
const ok = { content: [{ type: "text" as const, text: "ok" }], isError: false };
const one = { tools: [serverTool("a")], call: () => ok };

/** Time passes when the test says so. */
function testClock() {
  let now = 0;
  const timers = new Set<{ at: number; run: () => void }>();
  const clock: Clock = {
    now: () => new Date(now),
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return { dispose: () => timers.delete(timer) };
    },
  };
  const pass = (ms: number) => {
    now += ms;
    for (const timer of [...timers]) {
      if (timer.at > now) continue;
      timers.delete(timer);
      timer.run();
    }
  };
  return { clock, pass, timers };
}

it("twenty that start together make Node warn of nothing", async () => {
  const warnings: string[] = [];
  const heard = ({ message }: Error) => warnings.push(message);
  process.on("warning", heard);
  try {
    const servers = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`number-${at}`, one]));
    const { project, connector } = memoryServers({ servers });
    await project.prepare("s", new AbortController().signal, () => undefined);
    expect(connector.starts).toHaveLength(20);
    // A warning is told in the next turn of the loop.
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  } finally {
    process.off("warning", heard);
  }
});

describe("a server", () => {
  it("starts at the first turn that needs its tools, and never again for them", async () => {
    const { project, connector, records } = memoryServers({ servers: { one } });
    await project.load();
    expect(connector.starts).toEqual([]);
    const waits: (readonly string[])[] = [];
    await project.prepare("s", never, (names) => waits.push(names));
    expect(connector.starts).toEqual(["one"]);
    expect(waits).toEqual([["one"]]);
    expect(project.offered.map(({ offer }) => offer.tools.map(({ name }) => name))).toEqual([["a"]]);

    const later = memoryServers({ servers: { one } });
    await later.records.setLastOffer(definitionOf("one"), {
      ...((await records.lastOffer(definitionOf("one"))) ?? { tools: [], resources: [] }),
      templates: [],
      prompts: [],
    } as never);
    await later.project.prepare("s", never, () => expect.unreachable());
    expect(later.connector.starts).toEqual([]);
    expect(later.project.offered).toHaveLength(1);
    expect(await later.project.callTool(user(), "one", serverTool("a"), {}, options)).toEqual(ok);
    expect(later.connector.starts).toEqual(["one"]);
  });

  it("starts once for callers that need it at the same time, and goes on if one of them stops", async () => {
    const starting = gate();
    const { project, connector } = memoryServers({
      servers: { one: { ...one, start: () => starting.passed } },
    });
    await project.load();
    const stopped = new AbortController();
    const first = project.callTool(user(), "one", serverTool("a"), {}, { signal: stopped.signal });
    const second = project.callTool(user(), "one", serverTool("a"), {}, options);
    const rejected = expect(first).rejects.toThrow(Interrupt);
    stopped.abort();
    await rejected;
    starting.open();
    expect(await second).toEqual(ok);
    expect(connector.starts).toEqual(["one"]);
  });

  it("that dies in mid-call gives an error, is restarted after growing delays, and is given up after four failures", async () => {
    const { clock, pass, timers } = testClock();
    const notices: string[] = [];
    const { project, connector } = memoryServers({
      servers: {
        one: { ...one, call: () => new Promise(() => connector.running.get("one")?.die("it crashed")) },
      },
      clock,
    });
    project.onNotice(({ type, failure: { reason }, sessions }) =>
      notices.push([type, reason.code, ...reason.values, ...sessions].join(" ")),
    );
    await project.load();
    for (const delay of [0, 1_000, 4_000, 15_000]) {
      const call = project.callTool(user(), "one", serverTool("a"), {}, options);
      const failed = expect(call).rejects.toThrow("one ended during the call");
      if (delay > 0) {
        await expect.poll(() => [...timers].map(({ at }) => at - clock.now().getTime())).toEqual([delay]);
        pass(delay);
      }
      await failed;
    }
    expect(connector.starts).toHaveLength(4);
    expect(notices).toEqual([
      ...Array<string>(3).fill("ended system-error it crashed s"),
      "gave-up system-error it crashed s",
    ]);
    await expect(project.callTool(user(), "one", serverTool("a"), {}, options)).rejects.toThrow(
      /failed 4 times in a row and is not restarted: it crashed/,
    );
    expect(connector.starts).toHaveLength(4);
    // The user's restart begins anew.
    await project.restart("one", never);
    expect(connector.starts).toHaveLength(5);
    await project.close();
    expect(connector.running.size).toBe(0);
  });

  it("that forgot the session is called again in another one, once", async () => {
    const { clock, pass, timers } = testClock();
    let calls = 0;
    const { project, connector } = memoryServers({
      servers: {
        one: {
          ...one,
          async call() {
            calls++;
            if (calls === 2) return ok;
            // The connection is closed when the call has failed.
            setImmediate(() => connector.running.get("one")?.die("restarted"));
            throw new SessionLostError("one", reasonOf("mcp-status", "404"));
          },
        },
      },
      clock,
    });
    await project.load();
    for (const [delay, result] of [
      [1_000, "ok"],
      [4_000, "SessionLostError"],
    ] as const) {
      const call = project.callTool(user(), "one", serverTool("a"), {}, options).then(
        () => "ok",
        (error: unknown) => (error instanceof SessionLostError ? "SessionLostError" : error),
      );
      await expect.poll(() => timers.size).toBe(1);
      pass(delay);
      expect(await call).toBe(result);
    }
    expect([calls, connector.starts.length]).toEqual([4, 3]);
  });

  it("that ran for a while begins anew with its failures", async () => {
    const { clock, pass, timers } = testClock();
    const { project, connector } = memoryServers({ servers: { one }, clock });
    await project.load();
    for (let round = 0; round < 8; round++) {
      const call = project.callTool(user(), "one", serverTool("a"), {}, options);
      if (round > 0) {
        await expect.poll(() => timers.size).toBe(1);
        pass(1_000);
      }
      await call;
      pass(60_001);
      connector.running.get("one")?.die("crash");
      await expect.poll(() => project.all[0]?.server.state).toBe("failed");
    }
    expect(connector.starts).toHaveLength(8);
  });

  it("that does not start says why, and stops nothing else", async () => {
    const { project } = memoryServers({
      servers: {
        bad: {
          tools: [],
          start: () => {
            throw new Error("no such program");
          },
        },
        one,
      },
    });
    await project.prepare("s", never, () => undefined);
    expect(project.all.map(({ server }) => [server.name, server.state, server.error])).toEqual([
      ["bad", "failed", "no such program"],
      ["one", "running", undefined],
    ]);
    expect(project.offered.map(({ definition }) => definition.name)).toEqual(["one"]);
  });

  it("that never answers lets a turn begin without it", async () => {
    const { clock, pass } = testClock();
    const { project } = memoryServers({
      servers: { slow: { tools: [], start: () => new Promise(() => undefined) } },
      clock,
    });
    let waits = false;
    const prepared = project.prepare("s", never, () => {
      waits = true;
    });
    await expect.poll(() => waits).toBe(true);
    pass(10_000);
    await prepared;
    expect(project.offered).toEqual([]);
  });

  it("ends with the last session that uses it", async () => {
    const { project, connector } = memoryServers({ servers: { one } });
    await project.prepare("first", never, () => undefined);
    await project.callTool(user("second"), "one", serverTool("a"), {}, options);
    await project.release("first");
    expect(connector.running.size).toBe(1);
    await project.release("second");
    expect(connector.running.size).toBe(0);
    expect(project.all[0]?.server.state).toBe("stopped");
  });

  it("that is stopped while it starts leaves nothing running", async () => {
    const starting = gate();
    const { project, connector } = memoryServers({
      servers: { one: { ...one, start: () => starting.passed } },
    });
    await project.load();
    const call = project.callTool(user(), "one", serverTool("a"), {}, options);
    const failed = expect(call).rejects.toThrow(Interrupt);
    await expect.poll(() => connector.starts).toEqual(["one"]);
    const stopped = project.stop("one");
    starting.open();
    await stopped;
    await failed;
    expect(connector.running.size).toBe(0);
    expect(project.all[0]?.server.state).toBe("stopped");
  });

  it("whose lists change is asked for the new ones", async () => {
    const server = { ...one, tools: [serverTool("a")] };
    const { project, connector } = memoryServers({ servers: { one: server } });
    await project.prepare("s", never, () => undefined);
    server.tools = [serverTool("b"), serverTool("c")];
    connector.running.get("one")?.events.changed("tools");
    await expect.poll(() => project.offered[0]?.offer.tools.map(({ name }) => name)).toEqual(["b", "c"]);
  });

  it("that reports changes without end is asked once for all that it reported meanwhile", async () => {
    let readings = 0;
    const server = {
      ...one,
      get tools() {
        return [serverTool(`a${++readings}`)];
      },
    };
    const { project, connector } = memoryServers({ servers: { one: server } });
    await project.prepare("s", never, () => undefined);
    expect(readings).toBe(1);
    for (let change = 0; change < 1_000; change++) connector.running.get("one")?.events.changed("tools");
    await expect.poll(() => project.offered[0]?.offer.tools[0]?.name).toBe("a2");
    connector.running.get("one")?.events.changed("tools");
    await expect.poll(() => project.offered[0]?.offer.tools[0]?.name).toBe("a3");
  });
});

describe("the configuration", () => {
  it("ends servers whose entry changed or is gone, and leaves the others alone", async () => {
    const { project, connector, configure } = memoryServers({ servers: { one, two: one, three: one } });
    await project.prepare("s", never, () => undefined);
    expect([...connector.running.keys()]).toEqual(["one", "two", "three"]);
    configure([definitionOf("one", { line: 7 }), definitionOf("two", { timeoutMs: 1 })]);
    await project.load();
    expect([...connector.running.keys()]).toEqual(["one"]);
    expect(project.all.map(({ server }) => [server.name, server.state])).toEqual([
      ["one", "running"],
      ["two", "stopped"],
    ]);
  });

  it("of a project starts nothing before the user approved exactly its content", async () => {
    const entry = (command: string) =>
      definitionOf("one", {
        source: "project",
        launch: { type: "stdio", command, args: [], env: {} },
      });
    const { project, connector, configure } = memoryServers({
      servers: { one },
      definitions: [entry("good")],
    });
    await project.prepare("s", never, () => expect.unreachable());
    expect(project.offered).toEqual([]);
    await expect(project.callTool(user(), "one", serverTool("a"), {}, options)).rejects.toThrow(
      /waits for the user's approval/,
    );
    await expect(project.restart("one", never)).rejects.toThrow(/waits for the user's approval/);
    const content = project.all[0]?.trust.content ?? "";
    await expect(project.trust("one", `${content} `)).rejects.toThrow(/changed meanwhile/);
    await project.trust("one", content);
    await project.prepare("s", never, () => undefined);
    expect(connector.starts).toEqual(["one"]);
    configure([entry("evil")]);
    await project.prepare("s", never, () => expect.unreachable());
    expect(connector.running.size).toBe(0);
    expect(project.all[0]?.server.state).toBe("untrusted");
    expect(project.all[0]?.trust.before).toBe(content);
    expect(connector.starts).toEqual(["one"]);
  });

  it("starts nothing in an untrusted workspace, and everything once it is trusted", async () => {
    let isTrusted = false;
    const { project, connector } = memoryServers({ servers: { one }, isTrusted: () => isTrusted });
    await project.prepare("s", never, () => expect.unreachable());
    await expect(project.callTool(user(), "one", serverTool("a"), {}, options)).rejects.toThrow(
      /trusts the workspace/,
    );
    expect(connector.starts).toEqual([]);
    isTrusted = true;
    await project.reload();
    await project.callTool(user(), "one", serverTool("a"), {}, options);
    expect(connector.starts).toEqual(["one"]);
  });

  it("that is switched off starts nothing", async () => {
    const { project, connector } = memoryServers({
      servers: { one },
      definitions: [definitionOf("one", { disabled: true })],
    });
    await project.prepare("s", never, () => expect.unreachable());
    await expect(project.callTool(user(), "one", serverTool("a"), {}, options)).rejects.toThrow(
      /switched off/,
    );
    expect(connector.starts).toEqual([]);
  });
});
