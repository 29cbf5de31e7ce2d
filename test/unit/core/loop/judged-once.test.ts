/** A call's command is read once, however many lists and settings are asked about. */
import { Parser } from "@vscode/tree-sitter-wasm";
import { expect, it, onTestFinished, vi } from "vitest";
import { Judge } from "../../../../src/core/loop/calls/permission.ts";
import { explain } from "../../../../src/core/loop/explain/explain.ts";
import { readCommand } from "../../../../src/core/safety/commands/judge-command.ts";
import { settingsSchema } from "../../../../src/shared/settings.ts";
import { assets } from "../../../safety/judge.ts";
import { project } from "../../../support/tools-on-disk.ts";

/** Returns how often this text was parsed from now on. */
function countParses(text: string): () => number {
  const parse = vi.spyOn(Parser.prototype, "parse");
  onTestFinished(() => parse.mockRestore());
  return () => parse.mock.calls.filter(([parsed]) => parsed === text).length;
}

it("a call is judged by all entries, the user's own and the one that it offers, and its command is parsed once", async () => {
  const { host } = await project();
  const command = "make all && npm test";
  const times = countParses(command);
  const settings = settingsSchema.parse({ commands: { allow: ["make", "make all", "npm test"] } });
  const judge = new Judge(host, () => settings);
  const call = { paths: [], command, view: { always: "make all" } };
  const { verdict } = await judge.permission({ access: "command" }, call, "act");
  expect(verdict).toBe("allow");
  expect(times()).toBe(1);
  const asks = new Judge(host, () => settingsSchema.parse({ commands: { allow: ["npm test"] } }));
  const offered = await asks.permission({ access: "command" }, call, "act");
  expect(offered).toMatchObject({ verdict: "ask", always: "make all" });
  expect(times()).toBe(2);
});

it("an explanation tries its remedies and examples on what it read once", async () => {
  const { host } = await project();
  const command = "make all && make check";
  const times = countParses(command);
  const explained = await explain(host, {
    settings: settingsSchema.parse({}),
    subject: { access: "command", mode: "act", invocation: { paths: [], command } },
    ignoring: true,
  });
  expect(explained.remedy?.allow).toEqual(["make all", "make check"]);
  expect(times()).toBe(1);
});

it("a simple command is judged once for each entry that decides about it", async () => {
  const judged: string[] = [];
  const command = await readCommand(assets, "cat a.txt && cat b.md", {
    shell: "bash",
    reads: {
      judge: async (path) => {
        judged.push(path);
        return { verdict: "allow", reason: { code: "none", values: [] }, resolved: path };
      },
      list: async () => [],
      tree: async () => undefined,
      git: async () => undefined,
    },
  });
  const verdicts = [["cat"], ["cat", "cat a.txt"], ["cat", "make"], ["make"], ["cat b.md", "cat"]].map(
    (allow) => command.under({ allow, deny: [] }),
  );
  expect((await Promise.all(verdicts)).map(({ verdict }) => verdict)).toEqual([
    "allow",
    "allow",
    "allow",
    "ask",
    "allow",
  ]);
  // What is listed to its end, as `cat b.md`, is exactly what a user saw, and names no file to look at.
  expect(judged).toEqual(["a.txt", "b.md"]);
});
