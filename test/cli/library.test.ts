/** docs/library.md: each example runs against the built library, as a reader would run it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";

const repository = path.join(import.meta.dirname, "../..");
const text = readFileSync(path.join(repository, "docs/library.md"), "utf8");
const examples = [...text.matchAll(/```js\n([\s\S]*?)```/g)].map((match) => match[1] ?? "");
const NAMES = [
  "applyPatch",
  "applySearchReplace",
  "createAssistantParser",
  "parseAssistantMessage",
  "createArgumentsParser",
  "findMentions",
  "judgeCommand",
  "judgePath",
  "estimateTokens",
];

it("documents every function with an example", () => {
  for (const name of NAMES)
    expect(
      examples.some((example) => example.includes(`${name}(`)),
      name,
    ).toBe(true);
});

it.each(examples.map((example, index) => [index + 1, example]))(
  "example %i holds",
  async (_number, example) => {
    const library: Record<string, unknown> = await import(
      pathToFileURL(path.join(repository, "dist/core.mjs")).href
    );
    const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor;
    const run = new AsyncFunction("assert", ...NAMES, String(example));
    await run(assert, ...NAMES.map((name) => library[name]));
  },
);
