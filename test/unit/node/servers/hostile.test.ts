/** Servers that hang, flood, answer nonsense, change or die: each ends in a clear result, and nothing keeps running. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Interrupt } from "../../../../src/core/errors.ts";
import type { ServerEvents } from "../../../../src/core/ports/servers.ts";
import { failureOf, ServerError } from "../../../../src/core/servers/server-error.ts";
import { reasonOf } from "../../../../src/shared/reason.ts";
import { reasonInEnglish } from "../../../../src/shared/words/reasons/reasons.ts";
import { isAlive } from "../../../support/processes.ts";
import { isWhole, sampled } from "../../../support/random.ts";
import { temporaryFolder } from "../support.ts";
import { failure, options, pidsIn, scripted } from "./hostile-support.ts";
import {
  connected,
  connector,
  marked,
  neverAborted,
  oneGuardForAll,
  recordedEvents,
  sharedConnection,
  withMark,
} from "./support.ts";

oneGuardForAll();

/** What is done alike for servers of both generations is tried with one of them. */
const GENERATIONS = isWhole ? [{ modern: false }, { modern: true }] : [{ modern: true }];

/** A test of the other generation is none of this one: it does not count as skipped. */
const whereItCounts = (counts: boolean) => (title: string, test: () => Promise<void> | void) => {
  if (counts) it(title, test);
};

describe.each([{ modern: false }, { modern: true }])("a server, modern: $modern", ({ modern }) => {
  /** Of the test that runs. */
  let ask: ServerEvents["ask"];
  const events = recordedEvents({ ask: (...asked) => ask(...asked) });
  /** Whatever a test does, the server serves the next one. */
  const connection = sharedConnection(() => scripted({ modern }), events);
  const has = (generation: { modern: boolean }) => generation.modern === modern;
  const itOfOne = whereItCounts(GENERATIONS.some(has));
  const itOfOlder = whereItCounts(!modern);

  itOfOne("is described by what it says about itself, without hidden characters", () => {
    expect(connection().info).toEqual({
      name: "scripted",
      version: modern ? "2.0.0" : "1.0.0",
      protocol: modern ? "2026-07-28" : "2025-06-18",
      instructions: "Be kind.",
    });
  });

  it("changes its list: the next list is the new one", async () => {
    const names = async () => (await connection().tools(neverAborted)).map((tool) => tool.name);
    expect(await names()).not.toContain("extra-0");
    await connection().callTool("change", {}, options);
    await expect.poll(() => events.changes).toEqual(["tools"]);
    expect(await names()).toContain("extra-0");
  });

  it("is told when a call is canceled", async () => {
    const stop = new AbortController();
    const call = connection().callTool(
      "slow",
      {},
      {
        signal: stop.signal,
        timeoutMs: 20_000,
        onProgress: ({ message }) => {
          if (message === "still working") stop.abort();
        },
      },
    );
    await expect(call).rejects.toBeInstanceOf(Interrupt);
    await expect.poll(() => events.lines).toContain("canceled slow");
    // The connection is usable afterwards.
    expect((await connection().callTool("echo", { a: 1 }, options)).content).toEqual([
      { type: "text", text: '{"a":1}' },
    ]);
  });

  it("asks the user, and gets the answer", async () => {
    ask = async (form) => {
      expect(form).toMatchObject({
        message: "Who?",
        ask: { type: "fields", fields: [{ name: "name", required: true }] },
      });
      return { action: "accept", values: { name: "Tama", unknown: "dropped" } };
    };
    const result = await connection().callTool("ask", {}, options);
    expect(result.content).toEqual([{ type: "text", text: '{"action":"accept","content":{"name":"Tama"}}' }]);
  });

  itOfOne("never gets an answer that its form does not allow", async () => {
    ask = async () => ({ action: "accept", values: { name: "T" } });
    const result = await connection().callTool("ask", {}, options);
    expect(result.content).toEqual([{ type: "text", text: '{"action":"cancel"}' }]);
    expect(events.lines.join("\n")).toContain("name: too-short");
  });

  itOfOne("logs what it wants to, also on standard error", async () => {
    await connection().callTool("log", {}, options);
    await expect.poll(() => events.lines).toContain("printed to standard error");
    expect(events.lines).toContain('[warning] store: {"level":"info"}');
  });

  itOfOne("that does not answer a call is canceled after the time limit", async () => {
    const call = connection().callTool("hang", {}, { signal: neverAborted, timeoutMs: 300 });
    await expect(call).rejects.toThrow(
      "MCP server sample: the server did not answer within 1 s. The request was cancelled.",
    );
    await expect.poll(() => events.lines).toContain("canceled hang");
  });

  itOfOne("that answers a call with nonsense is reported, and can be called again", async () => {
    await expect(connection().callTool("wrong", {}, options)).rejects.toThrow(
      /^MCP server sample: the server sent an answer that is not valid/,
    );
    expect((await connection().callTool("echo", {}, options)).isError).toBe(false);
  });

  const addresses = ["https://example.com/sign", "https://user:secret@example.com/", "javascript:alert(1)"];
  describe.each(modern ? [] : sampled(addresses, 2))("and the address %s", (url) => {
    const isShown = url === "https://example.com/sign";

    it(isShown ? "asks the user to visit it" : "asks nothing of the user", async () => {
      const asked: unknown[] = [];
      ask = async (form) => {
        asked.push(form.ask);
        return { action: "accept", values: {} };
      };
      const result = await connection().callTool("visit", { url }, options);
      expect(asked).toEqual(isShown ? [{ type: "address", url }] : []);
      expect(result.content).toEqual([
        { type: "text", text: `{"action":"${isShown ? "accept" : "cancel"}"}` },
      ]);
    });
  });

  // From here on, five questions wait.
  itOfOlder("that asks a hundred questions at once gets five of them to the user", async () => {
    let asked = 0;
    ask = (_, signal) => {
      asked++;
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve({ action: "cancel" })));
    };
    const { content } = await connection().callTool("ask-many", {}, options);
    expect(content).toEqual([{ type: "text", text: "95 canceled" }]);
    expect(asked).toBe(5);
    expect(events.lines.join()).toContain("too many others wait");
  });

  // The last one, because what a server logs is bounded.
  itOfOne("that prints text among its messages is understood", async () => {
    const before = events.lines.length;
    const result = await connection().callTool("noise", {}, options);
    expect(result.content).toEqual([{ type: "text", text: "after the noise" }]);
    const printed = events.lines.slice(before);
    expect(printed).toContain("noise 0");
    // Its log is bounded.
    expect(printed.length).toBeLessThan(500);
  });
});

describe("a server", () => {
  it.each(GENERATIONS)(
    "that dies in a call is reported with its exit code, and the connection as closed: modern: $modern",
    async ({ modern }) => {
      const connection = await connected(scripted({ modern }));
      await expect(connection.callTool("exit", {}, options)).rejects.toThrow(
        "MCP server sample: the server exited with code 7. It ended before it answered.",
      );
      expect(await connection.closed).toEqual(reasonOf("mcp-exit-code", "7"));
      await expect(connection.callTool("echo", {}, options)).rejects.toThrow(
        /It ended before it answered\.$/,
      );
    },
  );

  it("that exits at once is reported with what it printed", async () => {
    const error = await failure({ start: "exit" });
    expect(error).toBeInstanceOf(ServerError);
    expect(String(error)).toBe(
      "ToolError: MCP server sample: the server exited with code 3.\nIts last output:\nthe database is not there",
    );
    expect(failureOf(error)).toEqual({
      reason: reasonOf("mcp-exit-code", "3"),
      output: "the database is not there",
    });
  });

  it("that never answers ends with the time limit", async () => {
    const mark = withMark();
    const error = await failure({ start: "hang" }, 2_000, mark);
    expect(String(error)).toContain("MCP server sample: the server did not answer within 2 s.");
    // Also of one that had no time to begin.
    expect(marked(mark)).toEqual([]);
  });

  it.each([
    [
      "a program that does not exist",
      { command: "no-such-program-of-nekode" },
      reasonOf("mcp-command-missing", "no-such-program-of-nekode"),
    ],
    [
      "a path that does not exist",
      { command: "./no-such-program" },
      reasonOf("mcp-program-missing", "./no-such-program"),
    ],
    [
      "a folder that does not exist",
      { cwd: "/no/such/folder" },
      reasonOf("mcp-folder-missing", "/no/such/folder"),
    ],
    [
      "a script whose interpreter does not exist",
      { command: "/bin/sh", args: ["-c", "no-such-program-of-nekode"] },
      reasonOf("mcp-nothing-to-run"),
    ],
    [
      "a program that is killed",
      { command: "/bin/sh", args: ["-c", "kill -KILL $$"] },
      reasonOf("mcp-ended-by", "SIGKILL"),
    ],
  ] as const)("with %s is explained", async (_, part, expected) => {
    const launch = { ...scripted(), ...part } as ReturnType<typeof scripted>;
    const connecting = (await connector()).connect("sample", launch, recordedEvents(), options);
    const error = await connecting.catch((each: unknown) => each);
    expect(failureOf(error).reason).toEqual(expected);
    expect(String(error)).toContain(`MCP server sample: ${reasonInEnglish(expected)}.`);
  });

  it("is not taken from the workspace by its bare name", async () => {
    const folder = await temporaryFolder();
    const connecting = (await connector({ roots: () => [path.dirname(process.execPath)] })).connect(
      "sample",
      { type: "stdio", command: "node", args: [], env: {}, cwd: folder },
      recordedEvents(),
      options,
    );
    await expect(connecting).rejects.toThrow("the program node was not found on PATH");
  });

  it("stops starting when the caller stops", async () => {
    const folder = await temporaryFolder();
    const pids = path.join(folder, "pids");
    const stop = new AbortController();
    const connecting = (await connector()).connect(
      "sample",
      scripted({ start: "hang", pids }),
      recordedEvents(),
      {
        signal: stop.signal,
        timeoutMs: 20_000,
      },
    );
    connecting.catch(() => {});
    await expect.poll(() => readFile(pids, "utf8").catch(() => "")).not.toBe("");
    stop.abort();
    await expect(connecting).rejects.toBeInstanceOf(Interrupt);
    await expect.poll(async () => (await pidsIn(pids)).filter(isAlive)).toEqual([]);
  });
});

describe("the list of a server", () => {
  it("that does not come ends when the caller stops", async () => {
    const connection = await connected(scripted({ list: "hang" }));
    const stop = new AbortController();
    const listing = connection.tools(stop.signal);
    stop.abort();
    await expect(listing).rejects.toBeInstanceOf(Interrupt);
  });

  it("keeps the good tools among bad ones, cleaned and bounded", async () => {
    const events = recordedEvents();
    const connection = await connected(scripted({ list: "broken" }), events);
    const tools = await connection.tools(neverAborted);
    expect(tools.map((tool) => tool.name)).toEqual(["good"]);
    const [good] = tools;
    expect(good?.title).toBe("Good one");
    expect(good?.description).toMatch(/^visiblex+…$/);
    expect(good?.description).toHaveLength(4_000);
    expect(good?.inputSchema).toEqual({
      type: "object",
      properties: { a: { type: "string", description: "plaintxt" } },
    });
    expect(
      events.lines.filter((line) => line.startsWith("One of the server's tools is ignored")),
    ).toHaveLength(6);
    expect(events.lines).toContain("The server lists good twice among its tools; the first one is used.");
  });
});

describe("the end of a connection", () => {
  it("leaves no process of the server, not even stubborn and detached ones", async () => {
    const folder = await temporaryFolder();
    const pids = path.join(folder, "pids");
    const connection = await connected(scripted({ stubborn: true, pids }));
    await connection.callTool("detach", {}, options);
    const ids = await pidsIn(pids);
    expect(ids).toHaveLength(2);
    expect(ids.filter(isAlive)).toEqual(ids);
    await connection.close();
    await expect.poll(() => ids.filter(isAlive)).toEqual([]);
    expect(await connection.closed).toEqual(reasonOf("mcp-closed"));
  });
});
