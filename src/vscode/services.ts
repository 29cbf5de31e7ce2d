/**
 * All that is heavy, in a bundle of its own that loads when the panel is first opened: the editor's ports, the file
 * index, the session store and the agent.
 */
import * as path from "node:path";
import type * as vscode from "vscode";
import type { TaskManager } from "../core/agent/manager.ts";
import { surveyRules } from "../core/context/rules.ts";
import { globalRulesFolder } from "../core/context/rules-find.ts";
import { type Disposable, DisposableStore } from "../core/lifecycle.ts";
import type { Log } from "../core/ports/system.ts";
import { nodeFileStates } from "../node/files/disk-file-states.ts";
import { openProject } from "../node/project.ts";
import { defaultDataDir, registerProjectStore } from "../node/store/project-store.ts";
import { Changes } from "./editor/changes-view.ts";
import { Transcripts } from "./editor/transcripts.ts";
import { createEditorHost, type EditorHost } from "./editor-host.ts";
import type { Config } from "./editor-settings.ts";
import { createEditorFileStates } from "./files/editor-file-states.ts";
import { FileIndex } from "./files/file-index.ts";
import { resolveInWorkspace } from "./files/workspace-folders.ts";
import { Drafts } from "./panel/drafts.ts";
import { watchSessionEnds } from "./terminal/background-commands.ts";

/** Milliseconds after the start: what a window does first is over. */
const tidyAfterMs = 30_000;

export interface ServiceParts {
  context: Pick<vscode.ExtensionContext, "extensionUri" | "storageUri" | "globalStorageUri">;
  config: Config;
  log: Log;
}

/** The rules files of the project and the user. */
export interface RulesFiles {
  /** Where the user keeps rules for all projects. */
  globalFolder: string;
  /** All that are found, with whether they apply. */
  survey(): ReturnType<typeof surveyRules>;
}

export interface Services {
  agent: TaskManager;
  host: EditorHost;
  index: FileIndex;
  changes: Changes;
  transcripts: Transcripts;
  drafts: Drafts;
  rules: RulesFiles;
  /** Ends what is under way, and resolves when all that was said is on the disk. */
  close(): Promise<void>;
}

export async function startServices({ context, config, log }: ServiceParts): Promise<Services> {
  const disposables = new DisposableStore();
  try {
    const host = disposables.add(createEditorHost(context.extensionUri, log, () => config.settings()));
    const index = disposables.add(new FileIndex(host.search, host.clock, log));
    const changes = disposables.add(new Changes());
    const transcripts = disposables.add(new Transcripts());
    await host.editor.closeLeftovers();
    const { agent, drafts, close } = await openAgent(host, config, context);
    disposables.add(showWhatWaits(agent, host));
    disposables.add(forgetKeyAfterwards(agent, config));
    disposables.add(
      watchSessionEnds({
        agent,
        shell: host.shell,
        endWithSession: () => config.settings().terminal.endWithSession,
      }),
    );
    return {
      agent,
      host,
      index,
      changes,
      transcripts,
      drafts,
      rules: {
        globalFolder: globalRulesFolder(host.system.home),
        survey: () => surveyRules(host, config.settings().context, new AbortController().signal),
      },
      async close() {
        await close();
        disposables.dispose();
      },
    };
  } catch (error) {
    disposables.dispose();
    throw error;
  }
}

/** The session store first, then the task that was open. */
async function openAgent(
  host: EditorHost,
  config: Config,
  context: ServiceParts["context"],
): Promise<Pick<Services, "agent" | "drafts" | "close">> {
  const dataDir = defaultDataDir(process.env);
  const project = await openProject({
    host,
    sessionsDir: await storeFolder(host, context, dataDir),
    dataDir,
    environment: process.env,
    fileStates: createEditorFileStates(nodeFileStates, host.ours),
    settings: () => config.settings(),
    apiKey: () => config.apiKey(),
    allowCommand: (prefix) => config.allowCommand(prefix),
  });
  const { agent, storage } = project;
  try {
    await agent.restore();
    const drafts = await Drafts.open(storage, host.log);
    const queue = agent.onEvent((event) => {
      if (event.type === "queue") drafts.keepQueue(agent.queued);
    });
    const tidying = host.clock.after(tidyAfterMs, () => void agent.library.tidy());
    return {
      agent,
      drafts,
      async close() {
        tidying.dispose();
        queue.dispose();
        await drafts.close();
        await project.close();
      },
    };
  } catch (error) {
    await project.close();
    throw error;
  }
}

/** A project's sessions are its own; a window without a folder has a place of its own too. */
async function storeFolder(
  host: EditorHost,
  context: ServiceParts["context"],
  dataDir: string | undefined,
): Promise<string> {
  const { root } = host.workspace;
  if (context.storageUri === undefined || root === undefined)
    return path.join(context.globalStorageUri.fsPath, "no-workspace");
  const own = path.join(context.storageUri.fsPath, "sessions");
  const place = await registerProjectStore({
    dataDir,
    root,
    own,
    log: host.log,
  });
  return place.folder;
}

/** Brings the preview that waits for an answer to the front. */
function showWhatWaits(agent: TaskManager, host: EditorHost): Disposable {
  return agent.onEvent((event) => {
    if (event.type !== "approval" || event.approval.path === undefined) return;
    const file = resolveInWorkspace(event.approval.path) ?? event.approval.path;
    host.editor.reveal(file).catch((error: unknown) => host.log.error("the preview was not shown", error));
  });
}

/** A key is remembered for as long as the agent works. */
function forgetKeyAfterwards(agent: TaskManager, config: Config): Disposable {
  return agent.onEvent((event) => {
    if (event.type === "status" && event.status === "idle") config.forgetKey();
  });
}
