/** What all seats of a project share: its open sessions, and everything that belongs to no session. */

import type { Mode } from "../../../shared/message.ts";
import type { Checkpoints } from "../../checkpoints/checkpoints.ts";
import { KeyMask } from "../../key-mask.ts";
import type { Disposable } from "../../lifecycle.ts";
import { BackgroundCommands } from "../../loop/calls/background-list.ts";
import type { TranscriptStart } from "../../loop/transcript-start.ts";
import type { SearchProviders } from "../../ports/web.ts";
import { ModelCatalog } from "../../provider/catalog/model-catalog.ts";
import { WorktreeUse } from "../../sessions/open/worktree-use.ts";
import { FileWriters } from "../../tools/editing/file-writers.ts";
import { ToolRegistry, toolsFor } from "../../tools/registry.ts";
import { followServers } from "../../tools/servers/server-tools.ts";
import { followSearch } from "../../tools/web-search.ts";
import { Session, type SessionDeps } from "../session.ts";
import { Library, type LibraryDeps } from "../session-library.ts";
import type { SessionParts } from "../session-parts.ts";
import { OpenSessions } from "./open-sessions.ts";
import { TurnSlots } from "./turn-slots.ts";
import { WorktreeTasks } from "./worktree-tasks.ts";

export interface WorkbenchDeps
  extends LibraryDeps,
    Omit<SessionParts, "registry" | "keys" | "slots" | "writers"> {
  /** Tools may be added and removed at any time. Default: only the built-in tools. */
  registry?: ToolRegistry;
  /** The checkpoints of a folder other than the workspace's. Default: changes there cannot be undone. */
  checkpointsIn?(folder: string): Checkpoints;
  /** Default: the web cannot be searched. */
  searchProviders?: SearchProviders;
  /** Keys for other services than the model's endpoint, to mask. */
  otherKeys?(): Promise<readonly string[]>;
}

export class Workbench {
  readonly deps: WorkbenchDeps;
  readonly parts: SessionParts;
  readonly sessions: OpenSessions;
  /** Stored sessions. */
  readonly library: Library;
  /** The models that can be chosen, and what is known about them. */
  readonly models: ModelCatalog;
  /** The commands that calls moved to the background. */
  readonly background: BackgroundCommands;
  /** The worktrees of tasks. */
  readonly worktrees: WorktreeTasks;
  /** By folder, what sessions in worktrees need. */
  readonly #elsewhere = new Map<string, SessionParts>();
  readonly #following: (Disposable | undefined)[];

  constructor(deps: WorkbenchDeps) {
    const { host, registry = new ToolRegistry(toolsFor(host)) } = deps;
    this.deps = deps;
    this.sessions = new OpenSessions({
      log: host.log,
      markEnded: (id) => deps.store.update(id, { endedAt: host.clock.now().toISOString() }),
    });
    this.library = new Library(deps);
    this.models = new ModelCatalog(deps);
    this.background = new BackgroundCommands(host);
    const slots = new TurnSlots(() => deps.settings().tasks.maxRunning);
    this.sessions.onEvent((event) => slots.fold(event));
    const worktreeUse = new WorktreeUse(deps.store, host.log);
    this.worktrees = new WorktreeTasks({
      ...{ host, store: deps.store, settings: deps.settings, use: worktreeUse },
      all: () => this.sessions.all,
    });
    this.parts = {
      ...deps,
      registry,
      keys: new KeyMask(deps),
      background: this.background,
      slots,
      writers: new FileWriters(),
      worktreeUse,
    };
    this.#following = [
      deps.servers && followServers(registry, deps.servers, host.log),
      deps.searchProviders && followSearch(registry, deps.searchProviders, host.log),
    ];
    this.background.onOutput(({ session, callId, text }) => {
      // A session that is opened again has another object than the one that ran the call.
      this.sessions.find(session)?.emit({ type: "output", callId, delta: text });
    });
  }

  /** `handOver`: see `SessionDeps`. */
  create(start: TranscriptStart, handOver: SessionDeps["handOver"]): Session {
    return new Session({ ...this.#partsFor(start), handOver }, start);
  }

  /** How a stored session is created again, where it works. */
  async stored(id: string, mode: Mode): Promise<TranscriptStart> {
    const session = await this.deps.store.load(id, { skip: 0, count: 0 });
    const worktree = session?.worktree;
    return worktree === undefined ? { id, mode } : { id, mode, worktree };
  }

  /** A session in a worktree has the ports and the checkpoints of that folder. One whose worktree is unreadable runs nothing. */
  #partsFor({ worktree }: TranscriptStart): SessionParts {
    const { host } = this.deps;
    if (worktree === undefined || worktree === "unreadable") return this.parts;
    if (!host.inFolder) throw new Error("this host has no worktrees");
    const known = this.#elsewhere.get(worktree.root);
    if (known) return known;
    const { checkpoints: _, ...rest } = this.parts;
    const checkpoints = this.deps.checkpointsIn?.(worktree.root);
    const parts: SessionParts = {
      ...rest,
      ...(checkpoints ? { checkpoints } : {}),
      host: host.inFolder(worktree.root),
      projectPath: host.workspace.root ?? "",
    };
    this.#elsewhere.set(worktree.root, parts);
    return parts;
  }

  async dispose(): Promise<void> {
    const { store } = this.deps;
    this.background.dispose();
    await this.sessions.dispose();
    for (const { id, transcript } of this.sessions.all) if (transcript.isStored) await store.release(id);
    await this.parts.worktreeUse?.dispose();
    for (const following of this.#following) following?.dispose();
    await this.library.close();
  }
}
