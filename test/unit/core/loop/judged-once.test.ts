/** A call's command is read once, however many lists and settings are asked about. */
import { Parser } from "@vscode/tree-sitter-wasm";
import { expect, it, onTestFinished, vi } from "vitest";
import { Judge } from "../../../../src/core/loop/calls/permission.ts";
import { explain } from "../../../../src/core/loop/explain/explain.ts";
import { settingsSchema } from "../../../../src/shared/settings.ts";
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
