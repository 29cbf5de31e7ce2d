/** The hooks of a project, shared by its sessions: which are configured, and which the user has approved. Nothing runs here. */
import type {
  HookAction,
  HookEvent,
  HookList,
  HookProblem,
  HookState,
  ListedHook,
} from "../../shared/hook-list.ts";
import { type Reason, reasonOf } from "../../shared/reason.ts";
import { ToolError } from "../errors.ts";
import { Emitter } from "../lifecycle.ts";
import { allowsHash } from "../policy/admin-policy.ts";
import type { Host } from "../ports/host.ts";
import { isActive } from "../ports/plugins.ts";
import { type HookContent, hookCommand, hookContentOf } from "./hook-content.ts";
import { loadHooks } from "./hook-files.ts";
import { type HookRecord, type HookRecords, hookId, hookKey } from "./hook-records.ts";
import type { HookDefinition } from "./hook-types.ts";

export interface ProjectHooksDeps {
  /** Of the project's folder, also for sessions in worktrees: a hook's files are those that the user approved there. */
  host: Pick<Host, "files" | "workspace" | "system" | "log" | "plugins"> & Partial<Pick<Host, "policy">>;
  records: HookRecords;
  /** Stores a text that is too long for the model. Returns the absolute path of the file. */
  keep(text: string): Promise<string>;
}

/** A hook as it was when the files were last read. */
export interface HookEntry {
  definition: HookDefinition;
  id: string;
  state: HookState;
  content: HookContent;
  record: HookRecord;
}

export class ProjectHooks {
  readonly #deps: ProjectHooksDeps;
  readonly #changes = new Emitter<void>();
  #entries: readonly HookEntry[] = [];
  #problems: readonly HookProblem[] = [];
  #events: ReadonlySet<HookEvent> = new Set();
  #loading: Promise<void> | undefined;

  /** Fires when the list may have changed. */
  readonly onChange = this.#changes.on;

  constructor(deps: ProjectHooksDeps) {
    this.#deps = deps;
  }

  /** All configured hooks, in the order of the files. */
  get all(): readonly HookEntry[] {
    return this.#entries;
  }

  /** Whether any configured hook concerns the event, approved or not. Without one, nothing has to be prepared for it. */
  concerns(event: HookEvent): boolean {
    return this.#events.has(event);
  }

  /** Reads the files again. Calls at the same time share one reading. */
  load(): Promise<void> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #load(): Promise<void> {
    const { host, records } = this.#deps;
    const { hooks, problems } = await loadHooks(host);
    this.#problems = problems;
    const known = hooks.length === 0 ? {} : await records.all();
    const entries = await Promise.all(
      hooks.map(async (definition): Promise<HookEntry> => {
        const record = known[hookKey(definition)] ?? {};
        const content = await this.#contentOf(definition);
        const id = await hookId(definition);
        return { definition, id, record, content, state: stateOf(record, content) };
      }),
    );
    this.#entries = entries;
    this.#events = new Set(
      entries.flatMap(({ definition }) => definition.bindings.map(({ event }) => event)),
    );
  }

  /** What the administrator does not allow is refused, whatever the user approved. */
  async #contentOf(definition: HookDefinition): Promise<HookContent> {
    const { files, workspace, system, policy } = this.#deps.host;
    const content = await hookContentOf(definition, { files, workspace, home: system.home });
    if (!policy || allowsHash(policy.hooks, content.hash)) return content;
    return { ...content, refused: reasonOf("hook-managed", policy.managedBy, content.hash) };
  }

  /** Whether the hook may run now: its files are read again. Otherwise why it may not. */
  async refusal({ definition, record }: HookEntry): Promise<Reason | undefined> {
    const { workspace, plugins } = this.#deps.host;
    if (!workspace.trusted) return reasonOf("hook-unapproved");
    if (definition.plugin && !(await isActive(plugins, definition.plugin))) return reasonOf("hook-changed");
    const content = await this.#contentOf(definition);
    if (content.refused) return content.refused;
    return record.approved?.hash === content.hash ? undefined : reasonOf("hook-changed");
  }

  keep(text: string): Promise<string> {
    return this.#deps.keep(text);
  }

  list(): HookList {
    const { workspace } = this.#deps.host;
    return {
      hooks: this.#entries.map(listed),
      problems: [
        ...this.#problems,
        ...this.#entries.flatMap(({ definition: { file, line }, content: { refused } }) =>
          refused ? [{ file, line, reason: refused }] : [],
        ),
      ],
      untrustedWorkspace: workspace.roots.length > 0 && !workspace.trusted,
    };
  }

  /** Rejects with ToolError if the hook is gone, or if it is not what the user saw. */
  async act(action: Exclude<HookAction, { action: "open" }>): Promise<void> {
    const { records } = this.#deps;
    await this.load();
    const entry = this.#entries.find(({ id }) => id === action.id);
    if (!entry) throw new ToolError("The hook is no longer configured.", reasonOf("hook-gone"));
    const { content, definition } = entry;
    switch (action.action) {
      case "approve":
        if (action.content !== content.lines)
          throw new ToolError("The hook changed meanwhile.", reasonOf("hook-changed"));
        if (content.refused) throw new ToolError("The hook cannot be used.", content.refused);
        await records.update(hookKey(definition), {
          approved: { hash: content.hash, content: content.lines },
          isOff: false,
        });
        break;
      case "switch":
        await records.update(hookKey(definition), { isOff: !action.on });
        break;
      case "ask-if-it-fails":
        await records.update(hookKey(definition), { asksIfItFails: action.on });
    }
    await this.load();
    this.#changes.emit();
  }
}

function stateOf({ approved, isOff }: HookRecord, { hash, refused }: HookContent): HookState {
  if (isOff) return "off";
  if (approved === undefined) return "new";
  return approved.hash === hash && !refused ? "approved" : "changed";
}

function listed({ definition, id, state, content, record }: HookEntry): ListedHook {
  const { reader, source, file, line, bindings, plugin } = definition;
  const before = state === "changed" ? record.approved?.content : undefined;
  return {
    id,
    reader,
    source,
    ...(plugin ? { plugin: plugin.name } : {}),
    file,
    line,
    command: hookCommand(definition),
    events: [...new Set(bindings.map(({ event }) => event))],
    state,
    content: content.lines,
    ...(before === undefined ? {} : { before }),
    asksIfItFails: record.asksIfItFails ?? false,
  };
}
