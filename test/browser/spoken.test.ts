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

/** What has no name, what is read as a sign of Markdown, and what a row says before its content says it again. */
function faults(lines: readonly string[]): string[] {
  const unnamed =
    /^\s*- (?:button|link|checkbox|radio|textbox|combobox|article|img|menuitem|region)(?::| \[|$)/;
  const signs = /\*\*|`|^\s*- (?:text|paragraph): #+ /;
  const twice = lines.filter((line, at) => {
    const [, indent, about] = /^(\s*)- '?article "[^:"]+: ([^"]+)"/.exec(line) ?? [];
    if (indent === undefined || about === undefined) return false;
    const after = lines.slice(at + 1);
    const end = after.findIndex((next) => next.search(/\S/) <= indent.length);
    const content = (end < 0 ? after : after.slice(0, end)).join(" ").replace(/- (?:\w+:|\w+ )|["':]/g, " ");
    return content.replace(/\s+/g, " ").includes(about.slice(0, 12));
  });
  return [...twice, ...lines.filter((line) => unnamed.test(line) || signs.test(line))];
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
    // Where the focus goes from row to row, the name is all that is said.
    await page.getByTestId("chat-input").focus();
    await page.keyboard.press("Alt+ArrowUp");
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toMatch(/^Nekode: Done The cat is a dog now/);
    await page.getByTestId("work").click();
    await row("command").waitFor();
    await take("the work is open");

    await mkdir(FOLDER, { recursive: true });
    await writeFile(`${FOLDER}/task-${language}.txt`, parts.join("\n"));
  });
});
