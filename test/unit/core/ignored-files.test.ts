/** The rules of .nekodeignore are one function until a file changes: what was found with it can be kept. */
import { expect, it } from "vitest";
import { IgnoredFiles } from "../../../src/core/instructions/ignored-files.ts";
import { memoryHost } from "../../support/memory-host.ts";

it("answers with the same function until the file changes", async () => {
  const memory = memoryHost({ files: { ".nekodeignore": "private/\n" } });
  const ignored = new IgnoredFiles(memory.host);
  const rules = await ignored.rules();
  expect(rules?.("private/a")).toBe(true);
  expect(await ignored.rules()).toBe(rules);
  memory.files.set(`${memory.host.workspace.root}/.nekodeignore`, "other/\n");
  const changed = await ignored.rules();
  expect(changed).not.toBe(rules);
  expect([changed?.("private/a"), changed?.("other/a")]).toEqual([false, true]);
});
