/** The screen of all tools in the panel: groups, costs and switches. */
import { expect, it } from "vitest";
import * as z from "zod/mini";
import { type ToolList, toolSwitchSchema } from "../../src/shared/tool-list.ts";
import { findings } from "./support/axe.ts";
import { japanese } from "./support/boot.ts";
import { someTools } from "./support/fixtures.ts";
import { host, openPanel, overflow, page, picture, servePanels, showScreen } from "./support/suite.ts";

servePanels();

/** Switches as a host does. Returns what was asked. */
function play(list: ToolList): unknown[] {
  const asked: unknown[] = [];
  let now = list;
  host.toolsAfter = (ask) => {
    asked.push(ask);
    const action = z.nullable(toolSwitchSchema).parse(ask);
    if (action)
      now = {
        ...now,
        groups: now.groups.map((group) =>
          group.origin === action.origin && (group.id ?? group.owner) === action.owner
            ? {
                ...group,
                tools: group.tools.map((tool) =>
                  tool.name === action.name ? { ...tool, on: action.on } : tool,
                ),
              }
            : group,
        ),
      };
    return now;
  };
  return asked;
}

const sum = () => page.getByTestId("tools-sum").innerText();

it("lists tools by their origin with the sum of what is on, and a switch changes both", async () => {
  const asked = play(someTools);
  await openPanel({ width: 340 });
  showScreen("tools");
  await page.getByTestId("tool-group").first().waitFor();
  await expect
    .poll(() => page.getByTestId("tool-group").locator("h3").allInnerTexts())
    .toEqual(["Built in", "MCP server memory", "Extension GitHub Pull Requests"]);
  expect(await sum()).toContain("1,514");
  await page.getByRole("switch", { name: "Tool execute_command" }).press("Space");
  await expect.poll(sum).toContain("772");
  expect(asked.at(-1)).toEqual({ origin: "built-in", owner: "", name: "execute_command", on: false });
  await expect
    .poll(() => page.getByRole("switch", { name: "Tool attempt_completion" }).isDisabled())
    .toBe(true);
  await expect
    .poll(() => page.getByRole("switch", { name: "Tool copilot_editFile_internal" }).isDisabled())
    .toBe(true);
  await page.getByRole("switch", { name: "Tool github-pull-request_notification_summarize" }).click();
  await expect.poll(sum).toContain("1,976");
  expect(asked.at(-1)).toMatchObject({
    origin: "extension",
    owner: "github.vscode-pull-request-github",
    on: true,
  });
  expect(await findings(page)).toEqual([]);
});

it.each([
  { theme: "light", width: 340, language: "en" },
  { theme: "dark", width: 340, language: "en" },
  { theme: "dark", width: 250, language: "ja" },
] as const)("fits $width px in $language, $theme", async ({ theme, width, language }) => {
  play(someTools);
  await openPanel({ theme, width, ...(language === "ja" ? { boot: japanese } : {}) });
  showScreen("tools");
  await page.getByTestId("tool-group").first().waitFor();
  await expect.poll(overflow).toBeLessThanOrEqual(0);
  await picture(`tools-${theme}-${width}-${language}`);
  await page.getByTestId("listed-tool").last().scrollIntoViewIfNeeded();
  await picture(`tools-${theme}-${width}-${language}-end`);
});
