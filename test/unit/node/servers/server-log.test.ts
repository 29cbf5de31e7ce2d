/** What is shown of a local server's output when it could not be started: the cause, however long its stack trace is. */
import { expect, it } from "vitest";
import { ServerLog } from "../../../../src/node/servers/server-log.ts";

function lastLines(lines: readonly string[]): string {
  const log = new ServerLog(() => undefined);
  for (const line of lines) log.printed(line);
  return log.lastLines;
}

const frames = (count: number) =>
  Array.from({ length: count }, (_, n) => `    at f${n} (file:///srv/${n}.js:1:2)`);

it("has the cause above the stack trace of Node.js", () => {
  const cause = "Error: Cannot find module '/srv/index.js'";
  const text = lastLines([
    "node:internal/modules/cjs/loader:1228",
    "  throw err;",
    "  ^",
    cause,
    ...frames(20),
    "Node.js v20.20.2",
  ]);
  expect(text).toContain(cause);
  expect(text).toContain("(18 more)");
  expect(text.split("\n").length).toBeLessThanOrEqual(12);
  expect(text.endsWith("Node.js v20.20.2")).toBe(true);
});

it("has the cause below the stack trace of Python", () => {
  const places = Array.from({ length: 10 }, (_, n) => `  File "/srv/${n}.py", line ${n}, in run`);
  const text = lastLines([
    "Traceback (most recent call last):",
    ...places,
    "ModuleNotFoundError: No module named 'mcp'",
  ]);
  expect(text.split("\n").at(-1)).toBe("ModuleNotFoundError: No module named 'mcp'");
  expect(text).toContain("Traceback");
});

it("has the last of many lines", () => {
  const lines = Array.from({ length: 200 }, (_, n) => `line ${n}`);
  expect(lastLines(lines).split("\n")).toEqual(lines.slice(-12));
});
