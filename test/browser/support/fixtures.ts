/** What a host may have to offer: files, commands, tasks, rules. */
import type { FileHit, SessionSummary, SlashCommand } from "../../../src/shared/protocol.ts";
import type { RuleFile } from "../../../src/shared/rule-list.ts";

const hit = (path: string, more: Partial<FileHit> = {}): FileHit => ({
  path,
  kind: path.endsWith("/") ? "folder" : "file",
  positions: [],
  ...more,
});

export const someFiles: FileHit[] = [
  hit("neko.txt", { recent: true }),
  hit("src/components/deeply/nested/folder/with-a-long-name.test.tsx", { recent: true }),
  hit("src/", { positions: [0, 1] }),
  hit("README.md"),
];

export const someCommands: SlashCommand[] = [
  ...["newtask", "compact", "smol", "newrule", "deep-planning", "init", "verify-page", "reportbug"].map(
    (name): SlashCommand => ({ name, kind: "command", description: "" }),
  ),
  { name: "release", kind: "workflow", description: "Cut a release, with notes from the log" },
];

export const someTasks: SessionSummary[] = [
  "Add a sentence to neko.txt",
  "「猫は液体である」を追加してください。".repeat(6),
].map((title, index) => ({
  id: String(index),
  title,
  startedAt: "2025-01-02T03:04:05Z",
  updatedAt: "2025-01-02T03:04:05Z",
  messageCount: 12,
  cost: index * 0.0123,
  tokens: 14_900,
}));

const rule = (name: string, more: Partial<RuleFile> = {}): RuleFile => ({
  source: "nekode",
  name,
  paths: [],
  state: "applies",
  ...more,
});

export const someRules = {
  rules: [
    rule("~/.nekode/rules/mine.md", { source: "global" }),
    rule(".nekode/rules/typescript-and-other-long-names.md", { paths: ["src/**/*.ts", "test/**"] }),
    rule(".nekode/rules/python.md", { paths: ["**/*.py"], state: "no-match" }),
    rule("AGENTS.md", { source: "agents", state: "off" }),
    rule(".cursorrules", { source: "cursor", state: "too-large" }),
    rule("CLAUDE.md", { source: "claude", state: "source-off" }),
  ],
  workflows: [{ name: "release", kind: "workflow" as const, description: "Cut a release" }],
  hasWorkspace: true,
};
