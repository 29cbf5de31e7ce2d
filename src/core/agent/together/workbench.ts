/** What all seats of a project share: its open sessions, and everything that belongs to no session. */
import { KeyMask } from "../../key-mask.ts";
import type { Disposable } from "../../lifecycle.ts";
import { BackgroundCommands } from "../../loop/calls/background-list.ts";
import type { TranscriptStart } from "../../loop/transcript-start.ts";
import type { FileStates } from "../../ports/file-states.ts";
import type { SearchProviders } from "../../ports/web.ts";
import { ModelCatalog } from "../../provider/catalog/model-catalog.ts";
import { FileWriters } from "../../tools/editing/file-writers.ts";
import { ToolRegistry, toolsFor } from "../../tools/registry.ts";
import { followServers } from "../../tools/servers/server-tools.ts";
import { followSearch } from "../../tools/web-search.ts";
import { type ChildParts, Family } from "../family/family.ts";
import type { FamilyParent } from "../family/family-parent.ts";
import { Session, type SessionDeps } from "../session.ts";
import { Library, type LibraryDeps } from "../session-library.ts";
import type { SessionParts } from "../session-parts.ts";
import { OpenSessions } from "./open-sessions.ts";
import { TurnSlots } from "./turn-slots.ts";

export interface WorkbenchDeps
  extends Omit<LibraryDeps, "keys">,
    Omit<SessionParts, "registry" | "keys" | "slots" | "writers" | "family" | "terms"> {
  /** Tools may be added and removed at any time. Default: only the built-in tools. */
  registry?: ToolRegistry;
  /** Default: the web cannot be searched. */
  searchProviders?: SearchProviders;
  /** Writes what tasks changed in worktrees. Default: no task can start one that changes files. */
  fileStates?: FileStates;
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
  readonly #slots: TurnSlots;
  readonly #writers = new FileWriters();
  readonly #following: (Disposable | undefined)[];

  constructor(deps: WorkbenchDeps) {
    const { host, registry = new ToolRegistry(toolsFor(host)) } = deps;
    this.deps = deps;
    this.sessions = new OpenSessions({
      log: host.log,
      markEnded: (id) => deps.store.update(id, { endedAt: host.clock.now().toISOString() }),
    });
    const keys = new KeyMask(deps);
    this.library = new Library({ ...deps, keys });
    this.models = new ModelCatalog(deps);
    this.background = new BackgroundCommands(host);
    const slots = new TurnSlots(() => deps.settings().tasks.maxRunning);
    this.#slots = slots;
    this.sessions.onAnyEvent((event) => slots.fold(event));
    this.parts = {
      ...deps,
      registry,
      keys,
      background: this.background,
      slots,
      writers: this.#writers,
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
    const { parts, sessions } = this;
    const family = (parent: FamilyParent) =>
      new Family(
        {
          ...{ store: parts.store, registry: parts.registry, sessions, slots: this.#slots },
          writers: this.#writers,
          ...(this.deps.fileStates ? { files: this.deps.fileStates } : {}),
          create: (own, begin) => this.#child(own, begin, handOver),
        },
        parent,
      );
    return new Session({ ...parts, handOver, family }, start);
  }

  /** A session that another one starts. In a folder of its own, it keeps no checkpoints: its changes are proposed as a whole. */
  #child(own: ChildParts, start: TranscriptStart, handOver: SessionDeps["handOver"]): Session {
    const { checkpoints, ...parts } = this.parts;
    const kept = checkpoints && own.host === parts.host ? { checkpoints } : {};
    return new Session({ ...parts, ...kept, ...own, handOver }, start);
  }

  async dispose(): Promise<void> {
    const { store } = this.deps;
    this.background.dispose();
    await this.sessions.dispose();
    for (const { id, transcript } of this.sessions.all) if (transcript.isStored) await store.release(id);
    for (const following of this.#following) following?.dispose();
    await this.library.close();
  }
}
