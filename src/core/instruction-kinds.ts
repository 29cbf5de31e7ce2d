/**
 * The kinds of instruction files: where they are, and for whom they apply. A new kind is a row here. A kind that the user can switch
 * off by itself is also a source in `src/shared/rule-list.ts` and a property of `nekode.context.rules` in `package.json`.
 */
import { join } from "node:path";
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

/** Files that become part of the system prompt; `instructions/rules.ts` reads them. */
export interface RuleKind extends InstructionKind {
  source: RuleSource;
}

const MARKDOWN = /\.md$/i;

/** The folder of a project's rules, relative to the workspace, with `/`. */
export const PROJECT_RULES_FOLDER = ".nekode/rules";

const USER_RULES = { source: "global", scope: "user", path: ".nekode/rules", names: MARKDOWN } as const;

/** In the order for the model: the user's, those of each folder of the workspace, those of folders in it. */
export const RULE_KINDS: readonly RuleKind[] = [
  USER_RULES,
  { source: "nekode", scope: "project", path: PROJECT_RULES_FOLDER, names: MARKDOWN },
  { source: "agents", scope: "project", path: "AGENTS.md" },
  { source: "cline", scope: "project", path: ".clinerules" },
  { source: "cline", scope: "project", path: ".clinerules", names: /\.(?:md|txt)$/i },
  { source: "cursor", scope: "project", path: ".cursor/rules", names: /\.mdc?$/i },
  { source: "cursor", scope: "project", path: ".cursorrules" },
  { source: "windsurf", scope: "project", path: ".windsurf/rules", names: MARKDOWN },
  { source: "windsurf", scope: "project", path: ".windsurfrules" },
  { source: "claude", scope: "project", path: "CLAUDE.md" },
  { source: "copilot", scope: "project", path: ".github/copilot-instructions.md" },
  { source: "copilot", scope: "project", path: ".github/instructions", names: /\.instructions\.md$/i },
  { source: "agents", scope: "nested", path: "AGENTS.md" },
];

/** Files that become slash commands; `instructions/workflows.ts` reads them, from the workspace's first folder. */
export const WORKFLOWS = {
  scope: "project",
  path: ".nekode/workflows",
  names: /^[\p{L}\p{N}][\p{L}\p{N}._-]*\.md$/u,
} as const satisfies InstructionKind;

/** The folder of the user's rules, which apply to every project. */
export function globalRulesFolder(home: string): string {
  return join(home, USER_RULES.path);
}

/** The first names of the paths: a file at or below one of these names may be an instruction file. */
export const INSTRUCTION_NAMES: ReadonlySet<string> = new Set(
  [...RULE_KINDS, WORKFLOWS].map(({ path }) => path.replace(/\/.*/, "")),
);

/** Whether a change of the file or folder at this path may add, change or remove an instruction file. */
export function mayBeInstructions(path: string): boolean {
  return path.split(/[/\\]/).some((name) => INSTRUCTION_NAMES.has(name));
}
