/** Slash commands: which words are one, the project's workflows, and what the model is told. */
import { describe, expect, it } from "vitest";
import {
  compactCommand,
  findSlashCommand,
  listSlashCommands as listAll,
} from "../../../../src/core/context/slash-commands.ts";
import { readCallable } from "../../../../src/core/instructions/catalogue.ts";
import { definitionText } from "../../../../src/core/loop/task-skills.ts";
import type { Host } from "../../../../src/core/ports/host.ts";
import { commandInstructions, explicitInstructions } from "../../../../src/core/prompts/slash-prompts.ts";
import { createGit } from "../../../../src/node/git/repository.ts";
import {
  BUILT_IN_COMMANDS,
  isBuiltInCommand,
  slashCommandText,
} from "../../../../src/shared/words/command-words.ts";
import { translator } from "../../../../src/shared/words/task-words.ts";
import { memoryBrowser } from "../../../support/memory-browser.ts";
import { memoryHost } from "../../../support/memory-host.ts";

const FACTS = { shell: "bash", hostName: "Terminal", os: "Linux", model: "m", mode: "act" } as const;
const SETTINGS = { rulesOff: [] };
const listSlashCommands = (host: Host) => listAll(host, SETTINGS);
const callable = (host: Host) => readCallable(host, SETTINGS, new AbortController().signal);
const namesOf = async (host: Host) => (await callable(host)).map(({ name }) => name);

async function workflowInstructions(host: Host, name: string): Promise<string> {
  const definition = (await callable(host)).find((each) => each.name === name);
  return definition ? definitionText(host, definition, { typed: "", sessionId: "s" }) : "";
}
const find = (text: string) => findSlashCommand(text, isBuiltInCommand);

describe("findSlashCommand", () => {
  it.each([
    [
      "/deep-planning \n以下の文章の出典を推察してください",
      "deep-planning",
      "以下の文章の出典を推察してください",
    ],
    ["/newtask", "newtask", ""],
    ["please /init this", "init", "please  this"],
    ["/newtask /newrule twice", "newtask", "/newrule twice"],
    ["/unknown then /newrule", "newrule", "/unknown then"],
  ])("%j", (text, name, rest) => {
    expect(find(text)).toMatchObject({ name, rest });
  });

  it.each([
    "look in /usr/bin",
    "a/newtask",
    "/newtasks",
    "/Newtask",
    "`/newtask`",
    "```\n/newtask\n```",
    "and/or",
    "/newtask,",
    "//newtask",
  ])("%j is plain text", (text) => {
    expect(find(text)).toBeUndefined();
  });
});

describe("compactCommand", () => {
  it("takes /compact and /smol with a wish behind them", () => {
    expect(compactCommand("/compact")).toEqual({ focus: "" });
    expect(compactCommand(" /smol 名前を残して\n全部")).toEqual({ focus: "名前を残して\n全部" });
    expect(compactCommand("/compacted")).toBeUndefined();
    expect(compactCommand("do /compact")).toBeUndefined();
  });
});

describe("workflows", () => {
  const files = {
    ".nekode/workflows/release.md": "# Release\n\nRun /release and @/secret.txt.\n",
    ".nekode/workflows/init.md": "shadows the product's own",
    ".nekode/workflows/help.md": "shadows the panel's own",
    ".nekode/workflows/notes.txt": "no workflow",
    ".nekode/workflows/リリース.md": "手順\n",
  };

  it("are the project's Markdown files, and never take the place of the product's own commands", async () => {
    const { host } = memoryHost({ files, browser: memoryBrowser() });
    host.git = createGit({}, () => []);
    expect(await namesOf(host)).toEqual(["release", "リリース"]);
    const list = await listSlashCommands(host);
    expect(list.filter(({ kind }) => kind === "command").map(({ name }) => name)).toEqual([
      ...BUILT_IN_COMMANDS.filter((name) => name !== "smol"),
      "ask",
    ]);
    const from = { source: "Nekode", scope: "project", file: ".nekode/workflows/release.md" };
    expect(list).toContainEqual({ name: "release", kind: "workflow", description: "Release", from });
    const without = (await listSlashCommands(memoryHost().host)).map(({ name }) => name);
    expect(without).toEqual([
      ...BUILT_IN_COMMANDS.filter((name) => !["smol", "verify-page", "pr", "review"].includes(name)),
      "ask",
    ]);
  });

  it("one that names itself is text, not a loop", async () => {
    const { host } = memoryHost({ files });
    expect(await workflowInstructions(host, "release")).toBe("# Release\n\nRun /release and @/secret.txt.");
  });

  it("do not exist where the workspace is not trusted", async () => {
    const { host } = memoryHost({ files });
    host.workspace = { ...host.workspace, trusted: false };
    expect(await namesOf(host)).toEqual([]);
  });

  it("with front matter are described by it, and it is not sent", async () => {
    const files = {
      ".nekode/workflows/ship.md": '---\n# for the list\ndescription: "Ship it: now" # soon\n---\nShip.\n',
      ".nekode/workflows/wrong.md": "---\ndescription: [Ship it\n---\nShip.\n",
    };
    const { host } = memoryHost({ files });
    const list = await listSlashCommands(host);
    expect(list).toContainEqual(expect.objectContaining({ name: "ship", description: "Ship it: now" }));
    expect(list).toContainEqual(expect.objectContaining({ name: "wrong", description: "" }));
    expect(await workflowInstructions(host, "ship")).toBe("Ship.");
    expect(await workflowInstructions(host, "wrong")).toBe(
      "(The workflow wrong cannot be used: the front matter is not valid YAML: line 3. Tell the user.)",
    );
  });

  it("one that is too large is said, not sent", async () => {
    const { host } = memoryHost({ files: { ".nekode/workflows/big.md": "x".repeat(5_000_000) } });
    expect(await workflowInstructions(host, "big")).toContain("larger than 100 KB");
  });
});

describe("what the user reads of a command", () => {
  const text = (command: Parameters<typeof slashCommandText>[1]) => slashCommandText(translator({}), command);

  it("is there for each command of the product", async () => {
    const list = await listSlashCommands(memoryHost({ browser: memoryBrowser() }).host);
    expect(list.map(({ kind }) => kind)).not.toContain("workflow");
    for (const command of list) expect(text(command), command.name).toMatch(/^[A-Z].{20}/);
  });

  it("is what others say of theirs, whatever its name", () => {
    expect(text({ name: "init", kind: "prompt", description: "Of a server." })).toBe("Of a server.");
    expect(text({ name: "release", kind: "workflow", description: "" })).toBe("");
  });
});

describe("what the model is told", () => {
  it("stands in its tag, with something to do for each command", () => {
    for (const name of BUILT_IN_COMMANDS) {
      const text = explicitInstructions(name, commandInstructions(name, FACTS));
      expect(text).toMatch(
        new RegExp(`^<explicit_instructions type="${name}">\\n[\\s\\S]{100,}\\n</explicit_instructions>$`),
      );
    }
  });

  it.each(["bash", "powershell", "cmd"] as const)(
    "deep planning has its four steps and the plan's sections, with commands of %s",
    (shell) => {
      const text = commandInstructions("deep-planning", { ...FACTS, shell });
      expect(text.match(/^## STEP \d/gm)).toEqual(["## STEP 1", "## STEP 2", "## STEP 3", "## STEP 4"]);
      for (const section of [
        "Overview",
        "Types",
        "Files",
        "Functions",
        "Classes",
        "Dependencies",
        "Testing",
        "Implementation Order",
      ]) {
        expect(text).toContain(`\n[${section}]\n`);
      }
      expect(text).toContain("implementation_plan.md");
      expect(text).toContain("task_progress");
      expect(text).toContain({ bash: "find . -type f", powershell: "Get-ChildItem", cmd: "findstr" }[shell]);
    },
  );

  it("deep planning in plan mode asks for nothing that plan mode forbids", () => {
    const text = commandInstructions("deep-planning", { ...FACTS, mode: "plan" });
    expect(text).toContain("PLAN MODE");
    expect(text).toContain("plan_mode_respond");
    expect(text).toContain("switch to ACT MODE");
    expect(text).not.toContain("find . -type f");
    expect(text.match(/^## STEP \d/gm)).toHaveLength(4);
    const acting = commandInstructions("deep-planning", { ...FACTS, mode: "act" });
    expect(acting).not.toMatch(/PLAN MODE|plan_mode_respond/);
  });
});
