/** What streaming has made of an edit is what the prepared call uses, if it is the same edit of the same file. */
import { describe, expect, it } from "vitest";
import { TaskBrowser } from "../../../../src/core/tools/browser/task-browser.ts";
import { StreamedEdit } from "../../../../src/core/tools/editing/streamed-edit.ts";
import type { ToolContext } from "../../../../src/core/tools/tool.ts";
import { settingsSchema } from "../../../../src/shared/settings.ts";
import { memoryHost } from "../../../support/memory-host.ts";
import { taskPages } from "../../../support/task-pages.ts";

function begin() {
  const memory = memoryHost({ files: { "a.txt": "one\n" } });
  const context: ToolContext = {
    host: memory.host,
    settings: () => settingsSchema.parse({}),
    mode: () => "act",
    seen: new Map(),
    pages: taskPages(memory.host),
    seesImages: () => true,
    browser: new TaskBrowser({}),
    editAllowed: async () => false,
    unreadable: async () => undefined,
    sessionId: () => "session",
    signal: new AbortController().signal,
  };
  let ends = 0;
  const edit = new StreamedEdit(context, "diff", () => {
    let text = "";
    return {
      push(delta) {
        text += delta;
        return text;
      },
      end() {
        ends += 1;
        return `result of ${text}`;
      },
    };
  });
  edit.param("path", "a.");
  edit.param("path", "txt");
  edit.param("diff", "first");
  edit.param("diff", " second");
  const version = async () => (await memory.host.files.stat("/project/a.txt"))?.version ?? null;
  return { ...memory, edit, version, ends: () => ends };
}

describe("an edit that streamed", () => {
  it("hands over its preview and its result, once", async () => {
    const { edit, version, shown, ends } = begin();
    const taken = await edit.take("/project/a.txt", await version(), "first second");
    expect(taken?.result).toBe("result of first second");
    expect(shown.get("/project/a.txt")).toBe("first second");
    expect(ends()).toBe(1);
    expect(await edit.take("/project/a.txt", await version(), "first second")).toBeUndefined();
  });

  it("hands over the preview alone where the call has another body than the one that streamed", async () => {
    const { edit, version, ends } = begin();
    const taken = await edit.take("/project/a.txt", await version(), "first second, and more");
    expect(taken).toMatchObject({ result: undefined });
    expect(taken?.preview).toBeDefined();
    expect(ends()).toBe(0);
  });

  it("hands over nothing for another file or another state of it, and shows nothing any more", async () => {
    for (const [path, state] of [
      ["/project/b.txt", undefined],
      ["/project/a.txt", "another version"],
    ] as const) {
      const { edit, version, shown, ends } = begin();
      expect(await edit.take(path, state ?? (await version()), "first second")).toBeUndefined();
      expect(shown.has("/project/a.txt")).toBe(false);
      expect(ends()).toBe(0);
    }
  });
});
