/**
 * The kinds of instruction files: where they are, and for whom they apply. A new kind is a row here. A kind that the user can switch
 * off by itself is also a source in `src/shared/rule-list.ts` and a property of `nekode.context.rules` in `package.json`.
 */
import { join } from "node:path";
import type { DefinitionScope, DefinitionSource } from "../shared/definition-origin.ts";
import type { RuleSource } from "../shared/rule-list.ts";

export interface InstructionKind {
  /**
   * `user`: in the user's home folder, for all projects. `project`: in each folder of the workspace. `nested`: in any folder below
   * the workspace's first one; such a file applies to the files of that folder.
   */
  scope: "user" | "project" | "nested";
  /** With `/`; for a nested kind, the name of the file. */
  path: string;
  /** Which files of the folder at `path` are of this kind; absent: `path` is the file. */
  names?: RegExp;
}

/**
 * What decides when a rules file applies, beside the patterns in its front matter. Copilot: without patterns, never by itself. Cursor,
 * Windsurf: what the front matter says.
 */
export type RuleFormat = "copilot" | "cursor" | "windsurf";

/** Files that instruct every task that they apply to; `instructions/rules.ts` reads them. */
export interface RuleKind extends InstructionKind {
  source: RuleSource;
  /** Default: a file without patterns always applies. */
  format?: RuleFormat;
  /** The folders in the folder at `path` are read too. */
  isDeep?: true;
  /** Which folders of the one at `path` are of this kind. The first group is the mode of the product that their files are for. */
  modes?: RegExp;
  /** `@path` in its text imports a file. */
  imports?: true;
  /** The file of the same folder that it stands in place of. */
  overrides?: string;
}

const MARKDOWN = /\.md$/i;
const PLAIN_TEXT = /\.(?:md|txt)$/i;
/** Roo Code reads any text in its folders; its users write XML too. */
const ROO_TEXT = /\.(?:md|txt|xml)$/i;
const MODES = /^rules-([A-Za-z0-9-]+)$/;

/** The folder of a project's rules, relative to the workspace, with `/`. */
export const PROJECT_RULES_FOLDER = ".nekode/rules";

const USER_RULES = { source: "global", scope: "user", path: ".nekode/rules", names: MARKDOWN } as const;

const AGENTS = { source: "agents", path: "AGENTS.md" } as const;
const AGENTS_OVERRIDE = { source: "agents", path: "AGENTS.override.md", overrides: "AGENTS.md" } as const;
const CLAUDE = { source: "claude", path: "CLAUDE.md", imports: true } as const;
const CLAUDE_LOCAL = { source: "claude", path: "CLAUDE.local.md", imports: true } as const;
const GEMINI = { source: "gemini", path: "GEMINI.md", imports: true } as const;
const COPILOT = {
  source: "copilot",
  names: /\.instructions\.md$/i,
  format: "copilot",
  isDeep: true,
} as const;
const ROO = { source: "roo", names: ROO_TEXT, isDeep: true } as const;
const KILO = { source: "kilo", names: ROO_TEXT, isDeep: true } as const;

/** In the order for the model: the user's, those of each folder of the workspace, those of folders in it. */
export const RULE_KINDS: readonly RuleKind[] = [
  { source: "agents", scope: "user", path: ".agents/AGENTS.md" },
  { source: "codex", scope: "user", path: ".codex/AGENTS.override.md", overrides: "AGENTS.md" },
  { source: "codex", scope: "user", path: ".codex/AGENTS.md" },
  { source: "claude", scope: "user", path: ".claude/CLAUDE.md", imports: true },
  { source: "claude", scope: "user", path: ".claude/rules", names: MARKDOWN, isDeep: true },
  { source: "copilot", scope: "user", path: ".copilot/copilot-instructions.md" },
  { ...COPILOT, scope: "user", path: ".copilot/instructions" },
  { source: "gemini", scope: "user", path: ".gemini/GEMINI.md", imports: true },
  { ...ROO, scope: "user", path: ".roo/rules" },
  { ...ROO, scope: "user", path: ".roo", modes: MODES },
  { ...KILO, scope: "user", path: ".kilocode/rules" },
  USER_RULES,
  { source: "nekode", scope: "project", path: PROJECT_RULES_FOLDER, names: MARKDOWN },
  { ...AGENTS_OVERRIDE, scope: "project" },
  { ...AGENTS, scope: "project" },
  { source: "cline", scope: "project", path: ".clinerules" },
  { source: "cline", scope: "project", path: ".clinerules", names: PLAIN_TEXT },
  {
    source: "cursor",
    scope: "project",
    path: ".cursor/rules",
    names: /\.mdc?$/i,
    format: "cursor",
    isDeep: true,
  },
  { source: "cursor", scope: "project", path: ".cursorrules" },
  { source: "windsurf", scope: "project", path: ".windsurf/rules", names: MARKDOWN, format: "windsurf" },
  { source: "windsurf", scope: "project", path: ".windsurfrules" },
  { ...ROO, scope: "project", path: ".roo/rules" },
  { ...ROO, scope: "project", path: ".roo", modes: MODES },
  { source: "roo", scope: "project", path: ".roorules" },
  { ...KILO, scope: "project", path: ".kilocode/rules" },
  { ...KILO, scope: "project", path: ".kilocode", modes: MODES },
  { ...GEMINI, scope: "project" },
  { ...CLAUDE, scope: "project" },
  { ...CLAUDE, scope: "project", path: ".claude/CLAUDE.md" },
  { source: "claude", scope: "project", path: ".claude/rules", names: MARKDOWN, isDeep: true },
  { ...CLAUDE_LOCAL, scope: "project" },
  { source: "copilot", scope: "project", path: ".github/copilot-instructions.md" },
  { ...COPILOT, scope: "project", path: ".github/instructions" },
  { ...AGENTS_OVERRIDE, scope: "nested" },
  { ...AGENTS, scope: "nested" },
  { ...GEMINI, scope: "nested" },
  { ...CLAUDE, scope: "nested" },
  { ...CLAUDE_LOCAL, scope: "nested" },
];

/** What the products are called, in every language. */
export const SOURCE_TITLES: Readonly<Record<DefinitionSource, string>> = {
  nekode: "Nekode",
  agents: ".agents",
  copilot: "GitHub Copilot",
  claude: "Claude Code",
  cline: "Cline",
  codex: "Codex",
  opencode: "OpenCode",
  roo: "Roo Code",
  kilo: "Kilo Code",
  cursor: "Cursor",
  windsurf: "Windsurf",
  gemini: "Gemini CLI",
  plugin: "Plugin",
};

/** A folder of Markdown files with front matter, each of which defines something; `instructions/definition-files.ts` reads them. */
export interface DefinitionFolder {
  source: DefinitionSource;
  /** `project`: in each folder of the workspace, and in those above it up to the root of its repository. */
  scope: Exclude<DefinitionScope, "plugin">;
  /** With `/`; for scope `system`, absolute. */
  path: string;
  /** How the files' names end. If it is a whole name, each folder in this one may have such a file. "": the path is the file. */
  ending: string;
  /** Folders in it are read too. */
  isDeep?: true;
}

/** The file of a skill, which is a folder. */
export const SKILL_FILE = "SKILL.md";
const SKILLS = { ending: SKILL_FILE, isDeep: true } as const;

/** Folders of skills, in order of precedence: of two skills of the same name, the first one counts. */
export const SKILL_FOLDERS: readonly DefinitionFolder[] = [
  { source: "nekode", scope: "project", path: ".nekode/skills", ...SKILLS },
  { source: "agents", scope: "project", path: ".agents/skills", ...SKILLS },
  { source: "copilot", scope: "project", path: ".github/skills", ...SKILLS },
  { source: "claude", scope: "project", path: ".claude/skills", ...SKILLS },
  { source: "cline", scope: "project", path: ".cline/skills", ...SKILLS },
  { source: "cline", scope: "project", path: ".clinerules/skills", ...SKILLS },
  { source: "codex", scope: "project", path: ".codex/skills", ...SKILLS },
  { source: "opencode", scope: "project", path: ".opencode/skills", ...SKILLS },
  { source: "opencode", scope: "project", path: ".opencode/skill", ...SKILLS },
  { source: "roo", scope: "project", path: ".roo/skills", ...SKILLS },
  { source: "kilo", scope: "project", path: ".kilocode/skills", ...SKILLS },
  { source: "cursor", scope: "project", path: ".cursor/skills", ...SKILLS },
  { source: "windsurf", scope: "project", path: ".windsurf/skills", ...SKILLS },
  { source: "gemini", scope: "project", path: ".gemini/skills", ...SKILLS },
  { source: "nekode", scope: "user", path: ".nekode/skills", ...SKILLS },
  { source: "agents", scope: "user", path: ".agents/skills", ...SKILLS },
  { source: "copilot", scope: "user", path: ".copilot/skills", ...SKILLS },
  { source: "claude", scope: "user", path: ".claude/skills", ...SKILLS },
  { source: "cline", scope: "user", path: ".cline/skills", ...SKILLS },
  { source: "codex", scope: "user", path: ".codex/skills", ...SKILLS },
  { source: "opencode", scope: "user", path: ".config/opencode/skills", ...SKILLS },
  { source: "roo", scope: "user", path: ".roo/skills", ...SKILLS },
  { source: "kilo", scope: "user", path: ".kilocode/skills", ...SKILLS },
  { source: "cursor", scope: "user", path: ".cursor/skills", ...SKILLS },
  { source: "gemini", scope: "user", path: ".gemini/skills", ...SKILLS },
  { source: "codex", scope: "system", path: "/etc/codex/skills", ...SKILLS },
];

/** The folder of a project's workflows, relative to the workspace, with `/`. */
export const WORKFLOWS_FOLDER = ".nekode/workflows";

/** Folders of prompt files, each of which is a command, in order of precedence. */
export const COMMAND_FOLDERS: readonly DefinitionFolder[] = [
  { source: "nekode", scope: "project", path: WORKFLOWS_FOLDER, ending: ".md" },
  { source: "copilot", scope: "project", path: ".github/prompts", ending: ".prompt.md" },
  { source: "claude", scope: "project", path: ".claude/commands", ending: ".md", isDeep: true },
  { source: "opencode", scope: "project", path: ".opencode/commands", ending: ".md", isDeep: true },
  { source: "opencode", scope: "project", path: ".opencode/command", ending: ".md", isDeep: true },
  { source: "cline", scope: "project", path: ".clinerules/workflows", ending: ".md" },
  { source: "roo", scope: "project", path: ".roo/commands", ending: ".md" },
  { source: "kilo", scope: "project", path: ".kilocode/workflows", ending: ".md" },
  { source: "cursor", scope: "project", path: ".cursor/commands", ending: ".md", isDeep: true },
  { source: "windsurf", scope: "project", path: ".windsurf/workflows", ending: ".md" },
  { source: "nekode", scope: "user", path: WORKFLOWS_FOLDER, ending: ".md" },
  // The prompts of VS Code's default profile, by system.
  { source: "copilot", scope: "user", path: ".config/Code/User/prompts", ending: ".prompt.md" },
  {
    source: "copilot",
    scope: "user",
    path: "Library/Application Support/Code/User/prompts",
    ending: ".prompt.md",
  },
  { source: "copilot", scope: "user", path: "AppData/Roaming/Code/User/prompts", ending: ".prompt.md" },
  { source: "claude", scope: "user", path: ".claude/commands", ending: ".md", isDeep: true },
  { source: "opencode", scope: "user", path: ".config/opencode/commands", ending: ".md", isDeep: true },
  { source: "opencode", scope: "user", path: ".config/opencode/command", ending: ".md", isDeep: true },
  { source: "roo", scope: "user", path: ".roo/commands", ending: ".md" },
  { source: "kilo", scope: "user", path: ".kilocode/workflows", ending: ".md" },
  { source: "cursor", scope: "user", path: ".cursor/commands", ending: ".md", isDeep: true },
  { source: "codex", scope: "user", path: ".codex/prompts", ending: ".md" },
  { source: "cline", scope: "user", path: "Documents/Cline/Workflows", ending: ".md" },
];

/** Folders of agents, in order of precedence. The last two of a project are files with the modes of Roo Code and Kilo Code. */
export const AGENT_FOLDERS: readonly DefinitionFolder[] = [
  { source: "nekode", scope: "project", path: ".nekode/agents", ending: ".md" },
  { source: "copilot", scope: "project", path: ".github/agents", ending: ".md" },
  { source: "copilot", scope: "project", path: ".github/chatmodes", ending: ".chatmode.md" },
  { source: "claude", scope: "project", path: ".claude/agents", ending: ".md", isDeep: true },
  { source: "opencode", scope: "project", path: ".opencode/agents", ending: ".md", isDeep: true },
  { source: "opencode", scope: "project", path: ".opencode/agent", ending: ".md", isDeep: true },
  { source: "roo", scope: "project", path: ".roomodes", ending: "" },
  { source: "kilo", scope: "project", path: ".kilocodemodes", ending: "" },
  { source: "nekode", scope: "user", path: ".nekode/agents", ending: ".md" },
  { source: "copilot", scope: "user", path: ".copilot/agents", ending: ".md" },
  { source: "claude", scope: "user", path: ".claude/agents", ending: ".md", isDeep: true },
  { source: "opencode", scope: "user", path: ".config/opencode/agents", ending: ".md", isDeep: true },
  { source: "opencode", scope: "user", path: ".config/opencode/agent", ending: ".md", isDeep: true },
];

/** The folder of the user's rules, which apply to every project. */
export function globalRulesFolder(home: string): string {
  return join(home, USER_RULES.path);
}

/** The first names of the paths: a file at or below one of these names may be an instruction file. */
export const INSTRUCTION_NAMES: ReadonlySet<string> = new Set(
  [...RULE_KINDS, ...projectFolders([...SKILL_FOLDERS, ...COMMAND_FOLDERS, ...AGENT_FOLDERS])].map(
    ({ path }) => path.replace(/\/.*/, ""),
  ),
);

function projectFolders(folders: readonly DefinitionFolder[]): DefinitionFolder[] {
  return folders.filter(({ scope }) => scope === "project");
}

/** Whether a change of the file or folder at this path may add, change or remove an instruction file. */
export function mayBeInstructions(path: string): boolean {
  return path.split(/[/\\]/).some((name) => INSTRUCTION_NAMES.has(name));
}
