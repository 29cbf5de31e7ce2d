/** One whole task as a screen reader meets it, from the accessibility tree; written to test-results/spoken. */
import { mkdir, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Boot } from "../../src/shared/protocol.ts";
import { reasonOf } from "../../src/shared/reason.ts";
import { japanese } from "./support/boot.ts";
import { ask, done, id, message, session, text } from "./support/events.ts";
import { host, openPanel, page, row, servePanels } from "./support/suite.ts";

servePanels();

const FOLDER = "test-results/spoken";

/** Everything that the page offers to assistive technology, one line for each element. */
async function spoken(): Promise<string[]> {
  return (await page.locator("body").ariaSnapshot()).split("\n");
}

/** What has no name, and what is read as a sign of Markdown. */
function faults(lines: readonly string[]): string[] {
  const unnamed =
    /^\s*- (?:button|link|checkbox|radio|textbox|combobox|article|img|menuitem|region)(?::| \[|$)/;
  const signs = /\*\*|`|^\s*- (?:text|paragraph): #+ /;
  return lines.filter((line) => unnamed.test(line) || signs.test(line));
}

describe.each<[string, Boot]>([
  ["en", { language: "en", translations: {} }],
  ["ja", japanese],
])("a task in %s", (language, boot) => {
  it("is read in order, each control with its name", async () => {
    const parts: string[] = [];
    /** `once`: what must not be heard twice. */
    const take = async (title: string, once?: RegExp) => {
      const lines = await spoken();
      expect(faults(lines), title).toEqual([]);
      if (once) expect(lines.filter((line) => once.test(line))).toHaveLength(1);
      parts.push(`# ${title}`, ...lines, "");
    };
    await openPanel({ width: 340, boot });
    await page.getByTestId("chat-input").waitFor();
    await take("the empty panel");

    const asked = message("user", { display: "Rename the cat in @/neko.txt" });
    const call = ask("edit", "replace_in_file", "neko.txt", {
      access: "edit",
      path: "neko.txt",
      added: 1,
      removed: 1,
      reason: reasonOf("editing-asks"),
    });
    host.emit(
      session("Rename the cat"),
      { type: "message", message: asked },
      text("I will **rename** it in `neko.txt`."),
      ...call,
    );
    await page.getByTestId("approve").waitFor();
    // The card may be there before the parser of Markdown has loaded.
    await row("text").locator("strong").waitFor();
    await take("an approval waits", /waiting for your approval|承認待ち/);

    const command = id();
    host.turnFiles = [{ path: "neko.txt", kind: "update", added: 1, removed: 1, undone: false }];
    host.emit(
      ...done("edit"),
      { type: "call", messageId: "m", callId: command, tool: "execute_command", subject: "npm test" },
      ...done(command),
      text("## Done\n\nThe cat is a dog now; see `neko.txt`.\n\n- [x] renamed\n- [x] tested"),
      { type: "checkpoint", checkpoint: { id: asked.id, kind: "message", at: asked.id, files: 1 } },
      { type: "status", status: "idle" },
    );
    await page.getByTestId("review-strip").getByText("neko.txt").waitFor();
    await take("the task is done", /added: 1|1 行追加/);
    await page.getByTestId("work").click();
    await row("command").waitFor();
    await take("the work is open");

    await mkdir(FOLDER, { recursive: true });
    await writeFile(`${FOLDER}/task-${language}.txt`, parts.join("\n"));
  });
});
