/** What a host may have to offer: files, commands, tasks, rules, MCP servers. */

import type { DefinitionItem } from "../../../src/shared/definition-list.ts";
import type { HealthReport } from "../../../src/shared/health-report.ts";
import type { FoundList } from "../../../src/shared/history/found-list.ts";
import type { HookList } from "../../../src/shared/hook-list.ts";
import type { MemoryList } from "../../../src/shared/memory-list.ts";
import type { PluginList } from "../../../src/shared/plugin-list.ts";
import type { FileHit, SessionSummary, SlashCommand } from "../../../src/shared/protocol.ts";
import type { RuleFile } from "../../../src/shared/rule-file.ts";
import type { ListedServer, ListedTool, ServerList } from "../../../src/shared/server-list.ts";
import type { MentionResource } from "../../../src/shared/server-protocol.ts";
import type { SettingList } from "../../../src/shared/setting-proposals.ts";
import type { ToolList } from "../../../src/shared/tool-list.ts";

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
  ...[
    "newtask",
    "compact",
    "newrule",
    "deep-planning",
    "init",
    "verify-page",
    "pr",
    "fix-tests",
    "reportbug",
  ].map((name): SlashCommand => ({ name, kind: "command", description: "" })),
  { name: "release", kind: "workflow", description: "Cut a release, with notes from the log" },
  {
    name: "weather:report",
    kind: "prompt",
    description: "Writes a weather report for a city",
    args: "city [state]",
  },
  {
    name: "issue-tracker:summarize-everything-that-changed",
    kind: "prompt",
    description: `Summarizes the issues of a project: ${"what changed, who changed it, ".repeat(6)}and why.`,
    args: "project [since] [until] [assigned-to] [labels]",
  },
  { name: "天気:予報", kind: "prompt", description: "指定した都市の天気予報を書きます", args: "都市 [日付]" },
];

export const someResources: MentionResource[] = [
  {
    mention: "@weather:weather://tokyo/today",
    server: "weather",
    name: "Tokyo today",
    description: "Temperature, wind and rain of today",
  },
  {
    mention: '@weather:"weather://tokyo/next week"',
    server: "weather",
    name: "Next week",
    description: "",
  },
  {
    mention: "@issue-tracker:issues://project/42/a-title-that-is-as-long-as-titles-are",
    server: "issue-tracker",
    name: "The list of issues of the project with all their comments and labels",
    description: "来週までに直すもの",
  },
  {
    mention: "@weather:weather://",
    server: "weather",
    name: "Any city",
    description: "The weather of a city",
    template: "weather://{city}/today",
  },
  {
    mention: '@notes:"note:"',
    server: "notes",
    name: "A note",
    description: "",
    template: "note:{id}",
  },
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

const definition = (name: string, more: Partial<DefinitionItem> = {}): DefinitionItem => ({
  kind: "skill",
  usage: name,
  file: `.claude/skills/${name}/SKILL.md`,
  source: "Claude Code",
  scope: "project",
  description: "",
  tokens: 10,
  state: "on",
  only: "",
  problems: [],
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
  definitions: [
    definition("review-notes", {
      description: "Reviews the notes of a release for wrong claims.",
      tokens: 1_240,
      problems: [["allowed-tools", "Bash(git *)"]],
    }),
    definition("broken", {
      state: "unusable",
      tokens: 0,
      problems: [["elsewhere", ""]],
    }),
    definition("release", {
      kind: "command",
      file: ".nekode/workflows/release.md",
      source: "Nekode",
      description: "Cut a release",
      tokens: 80,
    }),
    definition("reviewer", {
      kind: "agent",
      file: ".github/agents/reviewer.agent.md",
      source: "GitHub Copilot",
      description: "Reviews what changed.",
      tokens: 210,
      problems: [["unknown-tools", "vscodeAPI, extensions"]],
    }),
    definition("explorer", {
      kind: "agent",
      file: ".roomodes#explorer",
      source: "Roo Code",
      only: "model",
    }),
  ],
  hasWorkspace: true,
};

const tool = (name: string, more: Partial<ListedTool> = {}): ListedTool => ({
  name,
  description: "",
  on: true,
  always: false,
  reading: false,
  changed: false,
  hints: {},
  ...more,
});

const server = (name: string, more: Partial<ListedServer> = {}): ListedServer => ({
  name,
  source: "user",
  file: "/home/user/.config/nekode/mcp.json",
  line: 3,
  state: "stopped",
  command: `npx -y @modelcontextprotocol/server-${name}`,
  signedIn: false,
  tools: [],
  resources: [],
  templates: [],
  prompts: [],
  ...more,
});

export const someHooks: HookList = {
  hooks: [
    {
      id: "aaaa1111",
      reader: "claude",
      source: "project",
      file: "/home/me/projects/cats/.claude/settings.json",
      line: 5,
      command: '"$CLAUDE_PROJECT_DIR"/.claude/hooks/no-push.sh',
      events: ["PreToolUse"],
      state: "changed",
      before: "event: PreToolUse (Bash)\ncommand: no-push.sh\nfile: .claude/hooks/no-push.sh\ncontent: 1a2b",
      content: "event: PreToolUse (Bash)\ncommand: no-push.sh\nfile: .claude/hooks/no-push.sh\ncontent: 3c4d",
      asksIfItFails: true,
    },
    {
      id: "bbbb2222",
      reader: "copilot",
      source: "user",
      file: "/home/me/.copilot/hooks/sound.json",
      line: 3,
      command: "play done.wav",
      events: ["Stop", "Notification"],
      state: "approved",
      content: "command: play done.wav",
      asksIfItFails: false,
    },
  ],
  problems: [
    {
      file: "/home/me/projects/cats/.github/hooks/a.json",
      line: 4,
      reason: { code: "hook-type-unsupported", values: ["http"] },
    },
  ],
  untrustedWorkspace: false,
};

export const someServers: ServerList = {
  servers: [
    server("memory", {
      state: "running",
      info: "memory-server 0.6.3 (MCP 2025-11-25)",
      tools: [
        tool("create_entities", { description: "Create multiple new entities in the knowledge graph" }),
        tool("delete_entities", {
          title: "Delete entities",
          description: `Delete multiple entities.\n\nThis also deletes ${"their relations, ".repeat(12)}and more.`,
          hints: { destructive: true },
          changed: true,
        }),
        tool("read_graph", { description: "Read the entire knowledge graph", always: true, reading: true }),
        tool("search_nodes_with_a_very_long_name_that_does_not_fit", { on: false }),
      ],
      resources: [{ uri: "memory://graph", name: "The graph", description: "All of it, as JSON" }],
      prompts: [
        {
          name: "summarize",
          description: "Summarizes what is remembered",
          arguments: [
            { name: "topic", required: true },
            { name: "length", required: false },
          ],
        },
      ],
    }),
    server("build-tools", {
      source: "project",
      file: "/project/.mcp.json",
      line: 4,
      state: "untrusted",
      command: "node tools/server.js",
      content: "type: stdio\ncommand: node\nargs: tools/server.js\nenv: TOKEN=‹U+200B›x",
    }),
    server("database", {
      source: "vscode",
      file: "/project/.vscode/mcp.json",
      line: 12,
      state: "untrusted",
      command: "npx db-server --write",
      content: "type: stdio\ncommand: npx\nargs: db-server\nargs: --write",
      before: "type: stdio\ncommand: npx\nargs: db-server\nargs: --read-only",
    }),
    server("issues", { state: "sign-in", command: "https://issues.example.com/mcp" }),
    server("broken", {
      state: "failed",
      failure: {
        reason: { code: "mcp-exit-code", values: ["1"] },
        output: "node:internal/modules/cjs/loader:1228\nError: Cannot find module './index.js'",
      },
    }),
    server("old", { state: "off" }),
  ],
  problems: [
    {
      file: "/project/.mcp.json",
      line: 9,
      server: "half",
      reason: { code: "server-incomplete", values: [] },
    },
  ],
  userFile: "/home/user/.config/nekode/mcp.json",
  untrustedWorkspace: false,
};

/** Two installed plugins, of which one changed on the disk, and an update that waits for the user. */
export const somePlugins: PluginList = {
  plugins: [
    {
      name: "deploy-tools",
      format: "claude",
      version: "1.2.0",
      description: "Deploys from the editor.",
      source: "https://example.com/plugins/deploy-tools-with-a-long-name.git#v1.2",
      commit: "0123456789abcdef0123456789abcdef01234567",
      state: "on",
      changed: [],
      components: [
        {
          kind: "skill",
          name: "deploy-tools:release",
          detail: "Prepares a release.",
          file: "skills/release/SKILL.md",
        },
        {
          kind: "hook",
          name: "PreToolUse",
          detail: '"$CLAUDE_PLUGIN_ROOT"/hooks/check-what-is-deployed.sh --strict',
          file: "hooks/hooks.json",
        },
        {
          kind: "server",
          name: "plugin_deploy-tools_api",
          detail: "https://deploy.example.com/mcp",
          file: ".mcp.json",
        },
      ],
      problems: [{ code: "not-supported", values: ["outputStyles"] }],
    },
    {
      name: "notes",
      format: "agent-plugins",
      source: "/home/me/plugins/notes",
      state: "changed",
      changed: ["skills/notes/SKILL.md"],
      components: [],
      problems: [],
    },
  ],
  preview: {
    name: "deploy-tools",
    format: "claude",
    version: "1.3.0",
    source: "https://example.com/plugins/deploy-tools-with-a-long-name.git#v1.3",
    hash: "abcd",
    files: 12,
    bytes: 40_000,
    components: [],
    problems: [],
    difference: {
      version: "1.2.0",
      components: [
        {
          change: "added",
          component: {
            kind: "hook",
            name: "Stop",
            detail: "curl https://example.com/done",
            file: "hooks/hooks.json",
          },
        },
      ],
      files: [
        { change: "changed", path: "hooks/hooks.json" },
        { change: "removed", path: "skills/release/references/old.md" },
      ],
    },
  },
};

/** Notes of a session that is there, of one that is not, of the user, and one that the model does not get. */
export const someMemory: MemoryList = {
  file: "/home/me/.local/share/nekode/projects/shop-0123456789abcdef/memory.md",
  on: true,
  notes: [
    {
      id: "a1b2c3",
      topic: "build",
      text: "Use pnpm, not npm: the lock file of npm is ignored.",
      date: "2026-11-29T13:41:05.000Z",
      session: "a",
      message: "m1",
      title: "Add a sentence to neko.txt",
    },
    {
      id: "b1b2c3",
      text: "猫の写真は別のリポジトリにあり、このプロジェクトでは変更しません。",
      date: "2026-11-28T09:00:00.000Z",
      session: "gone",
      message: "m2",
    },
    { id: "c1b2c3", text: "The staging server is slow on Mondays." },
    { id: "d1b2c3", text: "hid\u200bden", problem: "hidden" },
  ],
};

/** All origins, a tool that is off, one that must stay, one that needs the editor's chat, and long and Japanese names. */
export const someHealth: HealthReport = {
  checks: [
    { id: "model", state: "good", title: "Model", text: "ollama/qwen3-coder:30b-a3b-instruct" },
    {
      ...{ id: "connection", state: "problem", title: "Connection" },
      text: "No server answers at http://127.0.0.1:11434. Check that it is running.",
    },
    { id: "sandbox", state: "missing", title: "Sandbox", text: "none: install bubblewrap" },
    { id: "git", state: "good", title: "Git", text: "git version 2.47.3" },
    { id: "terminal", state: "good", title: "Terminal", text: "/bin/bash" },
    { id: "servers", state: "problem", title: "MCP servers", text: "Not working: memory, filesystem" },
  ],
  minutes: 12,
  measurements: [
    { name: "Event loop delay, 99th percentile", now: "12.3 ms", budget: "< 50 ms" },
    { name: "Heap in use", now: "48.1 MB", budget: "" },
    { name: "Bytes sent per turn", now: "54,321", budget: "127,000 over 25 turns" },
  ],
};

export const someTools: ToolList = {
  canChange: true,
  groups: [
    {
      origin: "built-in",
      owner: "",
      tools: [
        {
          name: "execute_command",
          description: "Runs a command in the project's folder.",
          on: true,
          tokens: 742,
        },
        { name: "read_file", description: "Reads a file.", on: true, tokens: 231 },
        { name: "list_code_definition_names", description: "Lists definitions.", on: false, tokens: 118 },
        {
          ...{
            name: "attempt_completion",
            description: "Ends the task with its result.",
            on: true,
            tokens: 174,
          },
          fixed: "needed",
        },
      ],
    },
    {
      origin: "server",
      owner: "memory",
      tools: [
        { name: "create_entities", description: "Creates entities in the graph.", on: true, tokens: 203 },
      ],
    },
    {
      origin: "extension",
      owner: "GitHub Pull Requests",
      id: "github.vscode-pull-request-github",
      tools: [
        {
          name: "github-pull-request_issue_fetch",
          title: "Get a GitHub issue's details",
          description: "Get a GitHub issue's details as a JSON object.\n\nNeeds the number of the issue.",
          ...{ on: true, tokens: 164 },
        },
        {
          name: "github-pull-request_notification_summarize",
          title: "通知をまとめる",
          description: "Summarizes a notification.",
          ...{ on: false, tokens: 1204 },
        },
        {
          name: "copilot_editFile_internal",
          description: "Edits a file.",
          ...{ on: false, tokens: 90, fixed: "editor-chat" },
        },
      ],
    },
  ],
};

/** Sessions of other agents, two of them with problems. */
export const someForeignSessions: FoundList = [
  {
    product: "claude",
    problems: [{ code: "link", path: "/home/neko/.claude/projects/linked" }],
    sessions: ["Find the cat", "猫を犬にする"].map((title, at) => ({
      ...{ key: `claude:${at}`, title, folder: "/home/neko/app", bytes: 2_500 },
      updatedAt: "2026-05-01T10:00:00.000Z",
    })),
  },
];

/** Settings of other agents: one to take over, one that lets more run, one that was taken over, and one that is left out. */
export const someForeignSettings: SettingList = {
  proposals: [
    {
      ...{
        key: "server",
        hash: "1",
        product: "claude",
        file: "~/.claude.json",
        kind: "server",
        name: "cats",
      },
      ...{ place: "~/.config/nekode/mcp.json", before: "", raises: false, state: "new" },
      after: '{\n  "cats": {\n    "command": "npx"\n  }\n}',
      notes: [
        { code: "enter", value: "CAT_TOKEN" },
        { code: "approve-server", value: "" },
      ],
    },
    {
      ...{ key: "allow", hash: "2", product: "claude", file: "~/.claude/settings.json", kind: "allow" },
      ...{
        name: "allow: Bash(npm test)\u202e",
        place: "nekode.commands.allow",
        before: "",
        after: "npm test",
      },
      ...{ raises: true, notes: [], state: "new" },
    },
    {
      ...{ key: "model", hash: "3", product: "codex", file: "~/.codex/config.toml", kind: "model" },
      ...{
        name: "model: gpt-5-codex",
        place: "nekode.provider.model",
        before: "gpt/old",
        after: "gpt/gpt-5-codex",
      },
      ...{ raises: false, notes: [], state: "taken" },
    },
  ],
  left: [
    {
      ...{ product: "claude", file: "~/.claude/settings.json", name: "allow: Bash(npm run:*)" },
      why: { code: "not-exact", value: "" },
    },
  ],
  problems: [{ code: "too-large", path: "~/.config/opencode/opencode.json" }],
};
