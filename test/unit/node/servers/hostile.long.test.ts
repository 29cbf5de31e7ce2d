/**
 * Servers that misbehave in rare ways, or by how much they send; hostile.test.ts has the common ones for `npm test`, also that the
 * good tools of a list are kept and bounded.
 */
import path from "node:path";
import { describe, expect, it } from "vitest";
import { failureOf } from "../../../../src/core/servers/server-error.ts";
import { reasonOf } from "../../../../src/shared/reason.ts";
import { isAlive } from "../../../support/processes.ts";
import { sampled } from "../../../support/random.ts";
import { holdTimers } from "../../../support/timers.ts";
import { temporaryFolder } from "../support.ts";
import { failure, options, pidsIn, scripted } from "./hostile-support.ts";
import { connected, connector, neverAborted, recordedEvents } from "./support.ts";

describe("a server", () => {
  it.each(sampled([2_000, 1], 2))(
    "that asks much and reads nothing is closed before its answers fill the memory: %i bytes",
    async (size) => {
      const connection = await connected(scripted());
      const limits = { signal: neverAborted, timeoutMs: 100_000 };
      const before = process.memoryUsage().rss;
      await expect(connection.callTool("unread", { size }, limits)).rejects.toThrow(
        "the server does not read what is sent to it",
      );
      expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
    },
  );

  it("that sends a message of more than 10 MB is closed", async () => {
    const connection = await connected(scripted());
    await expect(connection.callTool("big", {}, options)).rejects.toThrow(
      "the server sent more than 10 MB at once.",
    );
  });

  it("that reports progress for ever ends with the limit of the whole", async () => {
    const connection = await connected(scripted());
    let reports = 0;
    const limits = { signal: neverAborted, timeoutMs: 400, onProgress: () => void reports++ };
    await expect(connection.callTool("slow", {}, limits)).rejects.toThrow(
      "the server did not answer within 4 s",
    );
    expect(reports).toBeGreaterThan(5);
  });

  it("that exits when it is asked for its version is started again as an older one", async () => {
    const folder = await temporaryFolder();
    const pids = path.join(folder, "pids");
    const own = await connector();
    const launch = scripted({ start: "exit-at-probe", pids });
    const connect = () =>
      own.connect("sample", launch, recordedEvents(), { signal: neverAborted, timeoutMs: 20_000 });
    const first = await connect();
    expect(first.info.protocol).toBe("2025-06-18");
    await first.close();
    expect(await pidsIn(pids)).toHaveLength(2);
    // The second time, this is known.
    await (await connect()).close();
    expect(await pidsIn(pids)).toHaveLength(3);
  });

  it("that closes its input before it exits is reported with its exit", async () => {
    const launch = { ...scripted(), command: "/bin/sh", args: ["-c", "exec <&-; sleep 0.2; exit 4"] };
    // However long the exit takes on a busy machine, the patience with it does not end.
    holdTimers();
    const error = await (await connector())
      .connect("sample", launch, recordedEvents(), options)
      .catch((each: unknown) => each);
    expect(failureOf(error)).toEqual({ reason: reasonOf("mcp-exit-code", "4") });
  });

  it("that floods its output with text is closed", async () => {
    expect(String(await failure({ start: "garbage" }))).toContain(
      "more than 1 MB of text that is not a message",
    );
  });

  it("that answers the handshake with nonsense is refused", async () => {
    const error = await failure({ start: "wrong" });
    expect(String(error)).toMatch(/^ToolError: MCP server sample: the server sent an answer/);
    expect(failureOf(error).reason.code).toBe("mcp-answer-invalid");
  });
});

describe("the list of a server", () => {
  it.each(
    sampled(
      [
        ["endless", 64, "more than 64 pages"],
        ["heavy", 56, "is too large; after 56 of them"],
        ["many", 1_000, "more than 1000 tools"],
        ["nothing", 0, "no list of tools"],
      ] as const,
      2,
    ),
  )("that is %s is bounded", async (list, count, note) => {
    const events = recordedEvents();
    const connection = await connected(scripted({ list }), events);
    expect(await connection.tools(neverAborted)).toHaveLength(count);
    expect(events.lines.join("\n")).toContain(note);
  });
});

describe("the end of a connection", () => {
  it("also comes to what a server left behind that died by itself", async () => {
    const folder = await temporaryFolder();
    const pids = path.join(folder, "pids");
    const connection = await connected(scripted({ pids }));
    await connection.callTool("detach", {}, options);
    await connection.callTool("exit", {}, options).catch(() => {});
    await connection.close();
    await expect.poll(async () => (await pidsIn(pids)).filter(isAlive)).toEqual([]);
  });
});
