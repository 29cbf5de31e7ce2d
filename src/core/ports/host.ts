/**
 * Everything that core may ask of a host. Each port is small enough to implement in memory for a test. Paths are
 * absolute, in the host's own form. Every call that can take long accepts a signal.
 */
import type { AdminPolicy } from "../policy/admin-policy.ts";
import type { Browsers } from "./browser.ts";
import type { Editor } from "./editor.ts";
import type { EditorModels } from "./editor-models.ts";
import type { EditorTests } from "./editor-tests.ts";
import type { EditorTools } from "./editor-tools.ts";
import type { Documents, Files } from "./files.ts";
import type { Git } from "./git.ts";
import type { Kernels } from "./notebooks.ts";
import type { Plugins } from "./plugins.ts";
import type { Programs } from "./programs.ts";
import type { Search } from "./search.ts";
import type { Shell } from "./shell.ts";
import type { Surroundings } from "./surroundings.ts";
import type { CodeSymbols } from "./symbols.ts";
import type { Assets, Clock, Log, SystemInfo } from "./system.ts";
import type { Fetch, Web } from "./web.ts";
import type { AttachedContents, GivenFiles, UnseenFiles, Workspace } from "./workspace.ts";
import type { Worktrees } from "./worktrees.ts";

export interface Host {
  files: Files;
  editor: Editor;
  shell: Shell;
  programs: Programs;
  search: Search;
  documents: Documents;
  surroundings: Surroundings;
  git?: Git;
  web?: Web;
  /** Absent: the tools that ask about symbols are not offered. */
  codeSymbols?: CodeSymbols;
  /** Absent: tests run by the project's own command only. */
  editorTests?: EditorTests;
  /** Absent: the tool that runs cells of notebooks is not offered. */
  kernels?: Kernels;
  /** Absent: the browser tool is not offered. */
  browser?: Browsers;
  /**
   * Sends requests to the model's endpoint, with the proxies and timeouts from the settings. If absent, the runtime's
   * `fetch` is used.
   */
  fetch?: Fetch;
  /** Returns the `fetch` that sends everything through this proxy (a URL). Absent: the host has no such proxies. */
  fetchVia?(proxy: string): Fetch;
  /** Absent: the host is not an editor with models of its own. */
  editorModels?: EditorModels;
  /** Absent: there are no extensions that offer tools. */
  editorTools?: EditorTools;
  workspace: Workspace;
  /** What the administrator of this computer allows; undefined: everything. */
  policy: AdminPolicy | undefined;
  /** Absent: what commands make counts at once. */
  unseen?: UnseenFiles;
  /** Absent: the user cannot give files outside the workspace. */
  given?: GivenFiles;
  /** Absent: every attached file has a path of the user's own. */
  attachedContents?: AttachedContents;
  /** Absent: nobody can install plugins. */
  plugins?: Plugins;
  /** Absent: sessions work in the project's folder only. */
  worktrees?: Worktrees;
  /**
   * Returns the ports for a session that works in another folder than the workspace's, such as a worktree: `workspace`, `search`
   * and `git` are those of that folder. Present where `worktrees` is.
   */
  inFolder?(folder: string): Host;
  system: SystemInfo;
  assets: Assets;
  clock: Clock;
  log: Log;
  /** Returns a new, globally unique id. */
  newId(): string;
}
