/** What is known about a configured hook before it runs. */
import type { HookEvent, HookProblem, HookReader } from "../../shared/hook-list.ts";
import type { PluginOrigin } from "../ports/plugins.ts";

/** The program of a hook, as it is on this platform. */
export interface HookHandler {
  /** A command line for `shell`; with `args`, a program that is started without a shell. */
  command: string;
  args?: readonly string[];
  shell: "sh" | "powershell";
  /** Relative to the project's folder. Default: the folder of the session. */
  cwd?: string;
  env: Readonly<Record<string, string>>;
  /** Default: that of the event and of the agent that the file belongs to. */
  timeoutMs?: number;
  /** Nothing waits for it, and what it prints decides nothing. */
  isAsync: boolean;
}

/** When a hook runs. */
export interface HookBinding {
  event: HookEvent;
  /** Checked by `matcherFault`. Absent: always. */
  matcher?: string;
  /** A permission rule such as `Bash(git *)` that narrows it. */
  condition?: string;
}

/** A handler of one file, with all events on which the file runs it. */
export interface HookDefinition {
  reader: HookReader;
  source: "user" | "project" | "plugin";
  /** Absolute path of the configuration file, and the line of its first entry in it (from 1). */
  file: string;
  line: number;
  /** The folder that `CLAUDE_PROJECT_DIR` names. undefined: no folder is open. */
  folder: string | undefined;
  handler: HookHandler;
  bindings: readonly HookBinding[];
  /** The plugin that it is from. */
  plugin?: PluginOrigin;
}

export interface LoadedHooks {
  hooks: HookDefinition[];
  problems: HookProblem[];
}
