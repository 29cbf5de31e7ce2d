/** Which files the editor's settings mark as read-only, and that a write to one always asks. */
import path from "node:path";
import { describe, expect, it } from "vitest";
import { judgePath } from "../../../src/core/safety/paths/judge-path.ts";
import { isMarkedReadonly } from "../../../src/vscode/files/readonly-globs.ts";

const marked = (file: string, include: unknown, exclude: unknown = {}) =>
  isMarkedReadonly(path.join("/w/app", file), "/w/app", { include, exclude });

describe("the settings", () => {
  it.each([
    ["generated/g.ts", { "**/generated/**": true }, true],
    ["a/generated/b/g.ts", { "**/generated/**": true }, true],
    ["src/g.ts", { "**/generated/**": true }, false],
    ["generated/g.ts", { "**/generated/**": false }, false],
    ["a.lock", { "*.lock": true }, true],
    ["sub/a.lock", { "*.lock": true }, false],
    ["sub/a.lock", { "**/*.lock": true }, true],
    ["src/gen/a.ts", { "src/gen/**": true }, true],
    ["lib/src/gen/a.ts", { "src/gen/**": true }, false],
    ["a.pb.go", { "**/*.{pb,gen}.go": true }, true],
    ["gen/a.ts", { "/w/app/gen/**": true }, true],
    ["gen/a.ts", { "/w/other/gen/**": true }, false],
    ["../other/gen/a.ts", { "**/gen/**": true }, false],
    ["a.ts", undefined, false],
    ["a.ts", "**", false],
  ])("%s with %j: %s", (file, include, expected) => {
    expect(marked(file, include)).toBe(expected);
  });

  it("leave out what is excluded", () => {
    const include = { "**/generated/**": true };
    expect(marked("generated/own.ts", include, { "**/own.ts": true })).toBe(false);
    expect(marked("generated/g.ts", include, { "**/own.ts": true })).toBe(true);
  });
});

describe("a write to such a file", () => {
  const judge = (file: string, access: "read" | "write") =>
    judgePath(file, {
      root: "/w/app",
      access,
      realpath: async (found) => found.replace("/w/app/link.ts", "/w/app/generated/g.ts"),
      isReadonly: (found) => found.startsWith("/w/app/generated/"),
    });

  it("asks, whatever runs without asking; reading does not", async () => {
    const asks = { verdict: "ask", guard: "protected", reason: { code: "marked-read-only", values: [] } };
    for (const file of ["generated/g.ts", "generated/package.json", "link.ts"])
      expect(await judge(file, "write"), file).toMatchObject(asks);
    expect((await judge("generated/g.ts", "read")).verdict).toBe("allow");
    expect((await judge("src/g.ts", "write")).verdict).toBe("allow");
  });
});
