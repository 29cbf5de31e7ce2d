/** The rules files of a project: what there is, whether it applies, and the ways to change it. */
import { beforeEach, describe, expect, it } from "vitest";
import { someRules } from "./support/fixtures.ts";
import {
  focused,
  host,
  openPanel,
  overflow,
  page,
  picture,
  servePanels,
  showScreen,
} from "./support/suite.ts";

servePanels({ keepsPanel: true });
beforeEach(async () => {
  host.rules = someRules;
  await openPanel({ width: 250 });
});

const rules = () => page.getByTestId("rule");
async function openRules(): Promise<void> {
  showScreen("rules");
  await rules().last().waitFor();
}

describe("the rules", () => {
  it("are listed by whose they are, each with whether it applies", async () => {
    await openRules();
    const texts = await rules().evaluateAll((all) => all.map((one) => one.textContent));
    expect(texts).toEqual([
      "~/.nekode/rules/mine.mdAlways applies",
      ".nekode/rules/typescript-and-other-long-names.mdApplies to src/**/*.ts, test/**",
      ".nekode/rules/python.mdNot applied: no file matches **/*.py",
      "AGENTS.mdDisabled",
      ".cursorrulesNot applied: the file is larger than 100 KB",
      "CLAUDE.mdThis source is disabled",
    ]);
    const definitions = page.getByTestId("definition");
    expect(await definitions.evaluateAll((all) => all.map((one) => one.textContent))).toEqual([
      "/review-notesClaude Code, project · 1,240 tokensReviews the notes of a release for wrong claims.the file asks that these tools run without asking, but your settings apply: Bash(git *)",
      "/brokenClaude Code, projectNot applied: the file is a link to a location outside the folder",
      "/releaseNekode, project · 80 tokensCut a release",
      "reviewerGitHub Copilot, project · 210 tokensReviews what changed.these tools do not exist here and are left out: vscodeAPI, extensions",
      "explorerRoo Code, project · 10 tokens · For subtasks only",
    ]);
    await expect.poll(() => overflow()).toBe(0);
    await picture("rules-dark-250");
  });

  it("are switched one by one, and by kind", async () => {
    await openRules();
    await page.getByRole("switch", { name: "AGENTS.md", exact: true }).click();
    expect(await host.called("rules/switch")).toEqual({ what: "file", name: "AGENTS.md", on: true });
    await page.getByRole("switch", { name: ".roomodes#explorer", exact: true }).click();
    expect(await host.called("rules/switch", 2)).toEqual({
      ...{ what: "file", name: ".roomodes#explorer", on: false },
    });
    const kind = page.getByRole("switch", { name: "All rules: Claude Code" });
    await expect.poll(() => kind.isChecked()).toBe(false);
    await kind.focus();
    await page.keyboard.press("Space");
    expect(await host.called("rules/switch", 3)).toEqual({ what: "source", name: "claude", on: true });
    await expect
      .poll(() => page.getByRole("switch", { name: "CLAUDE.md", exact: true }).isDisabled())
      .toBe(true);
    await host.called("rules/list", 4);
  });

  it("are opened, and begun", async () => {
    await openRules();
    await rules().filter({ hasText: "AGENTS.md" }).getByRole("button").click();
    expect(await host.called("rules/open")).toEqual({ name: "AGENTS.md" });
    await page.getByText("/release").click();
    expect(await host.called("rules/open", 2)).toEqual({ name: ".nekode/workflows/release.md" });
    await page.getByTestId("new-rule").click();
    expect(await host.called("rules/new")).toEqual({ place: "project" });
    await page.getByTestId("new-global-rule").click();
    expect(await host.called("rules/new", 2)).toEqual({ place: "global" });
  });

  it("follow what changes, and close on Escape with the focus back", async () => {
    await page.getByTestId("chat-input").focus();
    showScreen("rules");
    await rules().last().waitFor();
    host.rules = { rules: [], definitions: [], hasWorkspace: false };
    host.server.notify("rules/changed", {});
    await page.getByText("There are no rules yet.").waitFor();
    await expect.poll(() => page.getByTestId("new-rule").count()).toBe(0);
    await page.keyboard.press("Escape");
    await page.getByTestId("rules-list").waitFor({ state: "detached" });
    await expect.poll(() => focused()).toBe("chat-input");
  });
});
