/** The whole of core with the scripted model, on a host in memory. */

import type { DailySpending } from "../../src/core/agent/daily-spending.ts";
import { Project } from "../../src/core/agent/project.ts";
import type { View } from "../../src/core/agent/view.ts";
import type { Checkpoints } from "../../src/core/checkpoints/checkpoints.ts";
import type { ProjectHooks } from "../../src/core/hooks/project-hooks.ts";
import type { WorkspaceCommands } from "../../src/core/loop/calls/workspace-commands.ts";
import type { AfterCall, BeforeCall } from "../../src/core/loop/loop.ts";
import type { ProjectMemory } from "../../src/core/memory/project-memory.ts";
import type { SearchProviders } from "../../src/core/ports/web.ts";
import { ModelProfiles } from "../../src/core/provider/model-profile.ts";
import type { ProjectServers } from "../../src/core/servers/project-servers.ts";
import { PlanDocuments } from "../../src/core/sessions/plan-documents.ts";
import type { SessionStore } from "../../src/core/sessions/session-store.ts";
import { openSessionStore } from "../../src/core/sessions/store.ts";
import type { ToolRegistry } from "../../src/core/tools/registry.ts";
import type { RequiredOutput } from "../../src/core/tools/set/required-output.ts";
import type { ToolRecords } from "../../src/core/tools/switches/tool-records.ts";
import type { TaskEvent } from "../../src/shared/event.ts";
import { type Settings, settingsSchema } from "../../src/shared/settings.ts";
import { type CallRow, type Row, rowsOf } from "../../src/shared/view/reducer.ts";
import { type ModelServer, type Responder, type Script, startModelServer } from "../model-server/server.ts";
import { MemoryStorage } from "../unit/core/sessions/support.ts";
import { memoryFileStates } from "./memory-file-states.ts";
import { type MemoryHost, type MemoryOptions, memoryHost } from "./memory-host.ts";

export interface Agent extends MemoryHost {
  project: Project;
  /** The project's view. */
  readonly view: View;
  server: ModelServer;
  storage: MemoryStorage;
  events: TaskEvent[];
  settings: Settings;
  profiles: ModelProfiles;
  rows(): readonly Row[];
  calls(): CallRow[];
  /** The next event that satisfies the predicate. */
  until(wanted: (event: TaskEvent) => boolean): Promise<TaskEvent>;
  /** Resolves with the id of the next call that asks for approval. */
  asked(): Promise<string>;
  /** Opens the project anew on the same host and disk, as after a restart, and restores what it had open. */
  restart(...how: Parameters<Project["restore"]>): Promise<void>;
  /** Opens the project and its store once more on the same disk, as in a second window. */
  another(): Promise<{ project: Project; view: View; store: SessionStore }>;
  close(): Promise<void>;
}

export interface AgentOptions extends MemoryOptions {
  script: Script | Responder;
  settings?: Record<string, unknown>;
  approval?: Partial<Settings["approval"]>;
  protocol?: Settings["provider"]["protocol"];
  /** The API that the model is asked over. */
  api?: Settings["provider"]["api"];
  allowCommand?: (entry: string) => void;
  disallowCommand?: (entry: string) => void;
  workspaceCommands?: WorkspaceCommands;
  storage?: MemoryStorage;
  apiKey?: string;
  /** Tools can be added and removed while the agent works. */
  registry?: ToolRegistry;
  /** What final answers must be. */
  output?: RequiredOutput;
  /** Nobody can retry. */
  unattended?: boolean;
  beforeCall?: readonly BeforeCall[];
  afterCall?: readonly AfterCall[];
  servers?: ProjectServers;
  /** Default: no hooks run. */
  hooks?: (memory: MemoryHost, storage: MemoryStorage) => ProjectHooks;
  /** Default: nothing is remembered. */
  memory?: ProjectMemory;
  /** Default: nothing can be switched. */
  toolRecords?: ToolRecords;
  searchProviders?: SearchProviders;
  spending?: DailySpending;
  /** Default: nothing can be undone. */
  checkpoints?: (memory: MemoryHost, storage: MemoryStorage) => Checkpoints;
  otherKeys?: () => Promise<readonly string[]>;
  /** Called before the project is opened. */
  before?: (memory: MemoryHost) => void;
  /** Called each time the key is requested. */
  keyRead?: () => void;
}

export async function startAgent(options: AgentOptions): Promise<Agent> {
  const server = await startModelServer({ script: options.script });
  const memory = memoryHost(options);
  options.before?.(memory);
  const storage = options.storage ?? new MemoryStorage();
  const settings = settingsSchema.parse({
    provider: {
      baseUrl: server.url,
      model: "scripted",
      protocol: options.protocol ?? "xml",
      ...(options.api ? { api: options.api } : {}),
    },
    approval: options.approval ?? {},
    ...options.settings,
  });
  const profiles = new ModelProfiles({ overrides: () => settings.models });
  const openAnother = async () => {
    const { host } = memory;
    const store = await openSessionStore(storage, host.assets, host.clock, host.log);
    const project = new Project({
      host,
      store,
      // A host answers with other settings once they change; tests change these.
      settings: () => ({ ...settings }),
      async apiKey() {
        options.keyRead?.();
        return options.apiKey ?? "key";
      },
      profiles,
      allowCommand: async (entry) => options.allowCommand?.(entry),
      disallowCommand: async (entry) => options.disallowCommand?.(entry),
      ...(options.workspaceCommands ? { workspaceCommands: options.workspaceCommands } : {}),
      ...(options.searchProviders ? { searchProviders: options.searchProviders } : {}),
      ...(options.memory ? { memory: options.memory } : {}),
      ...(options.toolRecords ? { toolRecords: options.toolRecords } : {}),
      ...(options.spending ? { spending: options.spending } : {}),
      ...(options.otherKeys ? { otherKeys: options.otherKeys } : {}),
      ...(options.registry ? { registry: options.registry } : {}),
      ...(options.output ? { output: options.output } : {}),
      ...(options.unattended ? { unattended: true } : {}),
      ...(options.beforeCall ? { beforeCall: options.beforeCall } : {}),
      ...(options.afterCall ? { afterCall: options.afterCall } : {}),
      ...(options.servers ? { servers: options.servers } : {}),
      ...(options.hooks ? { hooks: options.hooks(memory, storage) } : {}),
      fileStates: memoryFileStates(memory.files),
      plans: new PlanDocuments(storage),
      ...(options.checkpoints ? { checkpoints: options.checkpoints(memory, storage) } : {}),
    });
    const { view } = project;
    return { project, view, store };
  };
  const open = async () => {
    const { project } = await openAnother();
    project.onEvent((event) => agent.events.push(event));
    return project;
  };
  const agent: Agent = {
    ...memory,
    project: undefined as never,
    get view() {
      return agent.project.view;
    },
    server,
    storage,
    settings,
    profiles,
    events: [],
    rows: () => rowsOf(agent.view.active.chatView),
    calls: () => agent.rows().filter((row): row is CallRow => row.kind === "call"),
    until: (wanted) =>
      new Promise((resolve) => {
        const listening = agent.project.onEvent((event) => {
          if (!wanted(event)) return;
          listening.dispose();
          resolve(event);
        });
      }),
    async asked() {
      const waiting = agent.view.active.approvals.first;
      if (waiting !== undefined) return waiting;
      const event = await agent.until((candidate) => candidate.type === "approval");
      return event.type === "approval" ? event.callId : "";
    },
    async restart(...how) {
      await agent.project.dispose();
      agent.events = [];
      agent.project = await open();
      await agent.project.restore(...how);
    },
    another: openAnother,
    async close() {
      await agent.project.dispose();
      await server.close();
    },
  };
  agent.project = await open();
  return agent;
}
