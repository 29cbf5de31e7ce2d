/**
 * Repositories as their owners set them up for other agents: the places, names and fields of files that public repositories had in
 * November 2026 (named in each case), with texts of ours. On the first task in each of them, every kind of file does its work.
 */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ModelServer, type ScriptPart, startModelServer } from "../model-server/server.ts";
import { Project } from "./support.ts";

interface Shape {
  /** The public repository. */
  of: string;
  files: Record<string, string>;
  /** Each skill, command and agent that is listed as usable: how it is called. */
  usable: readonly string[];
  /** The agent of the task. */
  agent: string;
  /** What the user types. */
  call: string;
  /** What the model receives. */
  receives: readonly string[];
  /** What it does not receive. */
  without?: readonly string[];
}

const front = (fields: string, body: string) => `---\n${fields}\n---\n\n${body}\n`;

const SHAPES: readonly Shape[] = [
  {
    of: "microsoft/vscode",
    files: {
      "AGENTS.md": "Words from AGENTS.md.",
      ".github/copilot-instructions.md": "Words for Copilot.",
      ".github/instructions/sources.instructions.md": front("applyTo: 'src/**/*.ts'", "Words for sources."),
      ".github/instructions/other.instructions.md": front("applyTo: '**/*.py'", "Words for Python."),
      ".github/prompts/draft.prompt.md": front(
        "agent: agent\ndescription: 'Drafts a change'\ntools: ['edit', 'search', 'todos']",
        `Draft it: \${input:topic}`,
      ),
      ".github/agents/data.md": front(
        'name: Data\ndescription: Answers questions about data\ntarget: github-copilot\ntools:\n- "view"\n- "grep"\n- "github/*"',
        "Words of the data agent.",
      ),
      ".github/chatmodes/Plan.chatmode.md": front(
        "description: Plans\ntools: ['codebase', 'fetch']",
        "Plan it.",
      ),
      ".github/skills/sessions/SKILL.md": front(
        "name: sessions\ndescription: Explains sessions. Use for questions about sessions.",
        "Words of a skill.",
      ),
      "src/a.ts": "",
    },
    usable: ["sessions", "draft", "Data"],
    agent: "Data",
    call: "/draft topic=cats",
    receives: ["Words from AGENTS.md.", "Words for Copilot.", "Words for sources.", "Draft it: cats"],
    without: ["Words for Python."],
  },
  {
    of: "getsentry/sentry",
    files: {
      "AGENTS.md": "Words from AGENTS.md.",
      "CLAUDE.md": "@AGENTS.md\n\n@docs/style.md",
      "docs/style.md": "Words about style.",
      "static/AGENTS.md": "Words for static.",
      ".claude/agents/cl/locator.md": front(
        "name: codebase-locator\ndescription: Finds files\ntools: Grep, Glob, LS\nmodel: sonnet",
        "Words of the locator.",
      ),
      ".claude/commands/cl/commit.md": front("description: Commits changes", "Commit $ARGUMENTS now."),
      ".claude/commands/gh-pr.md": "# Make a pull request\n\nDo it.",
      ".claude/skills/backend-api/SKILL.md": front(
        "name: backend-api\ndescription: How endpoints are made. Use for new endpoints.\nallowed-tools: Read Grep Bash",
        "Read references/patterns.md.",
      ),
      ".claude/skills/backend-api/references/patterns.md": "Patterns.",
      ".claude/settings.json": JSON.stringify({
        permissions: { allow: ["Bash(git log:*)", "WebFetch(domain:example.org)"], deny: [] },
        enableAllProjectMcpServers: true,
      }),
    },
    usable: ["backend-api", "commit", "gh-pr", "codebase-locator"],
    agent: "codebase-locator",
    call: "/commit the fix",
    receives: ["Words from AGENTS.md.", "Words about style.", "Words of the locator.", "Commit the fix now."],
    without: ["Words for static."],
  },
  {
    of: "RooCodeInc/Roo-Code",
    files: {
      "AGENTS.md": "Words from AGENTS.md.",
      ".roo/rules/rules.md": "Words for all modes.",
      ".roo/rules-code/style.md": "Words for code.",
      ".roo/rules-issue-fixer/1_workflow.xml": "<workflow>Words of steps.</workflow>",
      ".roo/rules-translate/a.md": "Words for translations.",
      ".roomodes": [
        "customModes:",
        "  - slug: issue-fixer",
        "    name: 🔧 Issue Fixer",
        "    roleDefinition: |-",
        "      Words of the fixer.",
        "    whenToUse: To fix issues.",
        "    groups:",
        "      - read",
        "      - - edit",
        "        - fileRegex: \\.(ts|tsx)$",
        "          description: Sources",
        "      - browser",
        "      - command",
        "    source: project",
      ].join("\n"),
      ".roo/commands/release.md": front(
        'description: "Makes a release"\nargument-hint: patch | minor | major\nmode: code',
        "Release it.",
      ),
      ".roo/skills/translation/SKILL.md": front(
        "name: translation\ndescription: How texts are translated. Use for translations.",
        "Words of a skill.",
      ),
    },
    usable: ["translation", "release", "issue-fixer"],
    agent: "issue-fixer",
    call: "/release minor",
    receives: [
      ...["Words from AGENTS.md.", "Words for all modes.", "Words for code.", "Words of steps."],
      ...["Words of the fixer.", "Release it.", "minor"],
    ],
    without: ["Words for translations."],
  },
  {
    of: "anomalyco/opencode",
    files: {
      "AGENTS.md": "Words from AGENTS.md.",
      ".opencode/agent/docs.md": front(
        'description: Writes documents\nmode: primary\ncolor: "#E67E22"\nmodel: opencode/some-model\ntools:\n  "*": false\n  "read": true',
        "Words of the writer.",
      ),
      ".opencode/agent/subagents/code/tester.md": front(
        "description: Tests\nmode: subagent",
        "Words of the tester.",
      ),
      ".opencode/command/issues.md": front(
        "description: Finds issues\nmodel: opencode/some-model\nsubtask: true",
        "Find issues about $ARGUMENTS.",
      ),
      ".opencode/skill/effects/SKILL.md": front(
        "name: effects\ndescription: How effects are written. Use for effects.",
        "Words of a skill.",
      ),
    },
    usable: ["effects", "issues", "docs", "tester"],
    agent: "docs",
    call: "/issues cats",
    receives: ["Words from AGENTS.md.", "Words of the writer.", "Find issues about cats."],
  },
  {
    of: "cline/cline",
    files: {
      ".clinerules/general.md": "Words for all work.",
      ".clinerules/network.md": front('paths:\n  - "src/**"', "Words for sources."),
      ".clinerules/workflows/pr-review.md": "Review the pull request $ARGUMENTS.",
      ".clinerules/skills/changelog/SKILL.md": front(
        "name: changelog\ndescription: Writes the changelog. Use before releases.",
        "Words of a skill.",
      ),
      ".clinerules/hooks/PreToolUse": "#!/bin/sh\nexit 1\n",
      ".clinerules/hooks/README.md": "Words about hooks.",
      ".clineignore": "dist/\n",
      "src/a.ts": "",
    },
    usable: ["changelog", "pr-review"],
    agent: "ask",
    call: "/pr-review 12",
    receives: ["Words for all work.", "Words for sources.", "Review the pull request 12."],
    without: ["Words about hooks."],
  },
  {
    of: "openai/codex",
    files: {
      "AGENTS.md": "Words from AGENTS.md.",
      ".codex/skills/watch-pr/SKILL.md": front(
        "name: watch-pr\ndescription: Watches a pull request. Use when the user asks to watch one.",
        "Run scripts/watch.py.",
      ),
      ".codex/skills/watch-pr/agents/openai.yaml": "interface:\n  display_name: Watch",
      ".codex/skills/watch-pr/scripts/watch.py": "print()",
      ".codex/skills/watch-pr/references/notes.md": "Notes.",
      ".codex/config.toml": 'model = "some-model"\n',
      ".codex/rules/development.rules": 'prefix_rule(pattern=["git"], decision="allow")\n',
    },
    usable: ["watch-pr"],
    agent: "ask",
    call: "/watch-pr 12",
    receives: ["Words from AGENTS.md.", "Run scripts/watch.py.", "scripts/watch.py", "references/notes.md"],
    without: ["prefix_rule"],
  },
];

let model: ModelServer;
let project: Project;

beforeEach(async () => {
  model = await startModelServer();
  project = await Project.create({});
});
afterEach(async () => {
  expect(model.refusals).toEqual([]);
  await model.close();
  await project.remove();
});

it.each(SHAPES)("what $of has works as it is", async ({ files, usable, agent, call, receives, without }) => {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.join(project.folder, path.dirname(name)), { recursive: true });
    await writeFile(path.join(project.folder, name), text);
  }
  project.commit();
  const env = { NEKODE_BASE_URL: model.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "k" };
  const lists = await Promise.all(["skills", "agents"].map((list) => project.run([list, "--json"], env)));
  const items = lists.flatMap(({ stdout }) => stdout.split("\n").filter((line) => line !== ""));
  const on = items.map((line) => JSON.parse(line)).filter(({ state }) => state === "on");
  expect(on.map(({ usage }) => usage.split(" ")[0])).toEqual(expect.arrayContaining([...usable]));

  const done: ScriptPart = { tool: "attempt_completion", params: { result: "Done." } };
  model.setScript({ turns: [{ answer: [done] }] });
  const ended = await project.run(["--agent", agent, call], env);
  expect(ended, JSON.stringify(ended)).toMatchObject({ code: 0 });
  const sent = JSON.stringify(model.chat(1));
  for (const words of receives) expect(sent).toContain(words);
  for (const words of without ?? []) expect(sent).not.toContain(words);
});
