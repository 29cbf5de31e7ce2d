/**
 * All that core may ask of a host. Each port is small enough to be written in memory for a test. Paths are absolute,
 * in the host's own form; every call that can take long takes a signal.
 */
import type { Documents } from "./documents.ts";
import type { Editor } from "./editor.ts";
import type { Files } from "./files.ts";
import type { Git } from "./git.ts";
import type { Search } from "./search.ts";
import type { Shell } from "./shell.ts";
import type { Surroundings } from "./surroundings.ts";
import type { Assets, Clock, Log, SystemInfo } from "./system.ts";
import type { Fetch, Web } from "./web.ts";
import type { Workspace } from "./workspace.ts";

/** Everything a task needs of its host. */
export interface Host {
  files: Files;
  editor: Editor;
  shell: Shell;
  search: Search;
  documents: Documents;
  surroundings: Surroundings;
  git?: Git;
  web?: Web;
  /** To the model's endpoint, through proxies and for as long as the settings say; absent: the runtime's own. */
  fetch?: Fetch;
  workspace: Workspace;
  system: SystemInfo;
  assets: Assets;
  clock: Clock;
  log: Log;
  /** A new id, unique for all time. */
  newId(): string;
}
