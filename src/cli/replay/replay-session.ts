/** Replays a stored session in a scratch copy of the project, and reports what differs. */

import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import path from "node:path";
import { compareCalls } from "../../core/agent/replay/compare-replay.ts";
import { RECORDED_URL, recordedEndpoint } from "../../core/agent/replay/recorded-endpoint.ts";
import { planReplay } from "../../core/agent/replay/replay-plan.ts";
import { Replay, type ReplayLevel, withheldShell } from "../../core/agent/replay/run-replay.ts";
import { ToolError } from "../../core/errors.ts";
import type { FileContent } from "../../core/ports/file-states.ts";
import type { Host } from "../../core/ports/host.ts";
import type { Snapshots } from "../../core/ports/snapshots.ts";
import type { Log } from "../../core/ports/system.ts";
import type { CopiedFolder } from "../../core/ports/workspace.ts";
import { isInside } from "../../core/roots.ts";
import type { StoredSession } from "../../core/sessions/session-store.ts";
import { ToolRegistry, toolsFor } from "../../core/tools/registry.ts";
import { nodeFileStates } from "../../node/files/disk-file-states.ts";
import { findRepository } from "../../node/git/find-repository.ts";
import { GitSnapshots } from "../../node/git/git-snapshots.ts";
import { makeScratchCopy, type ScratchCopy } from "../../node/git/scratch-copy.ts";
import { openProject } from "../../node/open-project.ts";
import { openTerminalHost } from "../../node/terminal-host.ts";
import { LEVEL_ACCESS, type Level } from "../../shared/permission/levels.ts";
import { REPLAY_VERSION, type ReplayReport } from "../../shared/run/replay-report.ts";
import { type Settings, settingsSchema } from "../../shared/settings.ts";

/** Tokens. A replay never shortens the conversation, because no model reads it. */
const ENDLESS_WINDOW = 1_000_000_000;
/** Bytes of a file that is compared. */
const FILE_LIMIT = 100_000_000;

export interface ReplayParts {
  session: StoredSession;
  /** The content of files after the session, by absolute path; see `Checkpoints.left`. */
  left: ReadonlyMap<string, FileContent | null | undefined>;
  /** The project's folder. */
  root: string;
  revision: string | undefined;
  level: ReplayLevel;
  /** The user's settings. Those about the model and approvals are replaced. */
  settings: Settings;
  assetsDir: string;
  environment: NodeJS.ProcessEnv;
  log: Log;
  signal: AbortSignal;
}

/** Rejects with ScratchRefused if there is nothing to replay against. Leaves nothing behind. */
export async function replaySession(parts: ReplayParts): Promise<ReplayReport> {
  const { root, revision, environment } = parts;
  const copy = await makeScratchCopy({ root, revision, environment });
  try {
    return await replayIn(copy, parts);
  } finally {
    await copy.dispose();
  }
}

async function replayIn(copy: ScratchCopy, parts: ReplayParts): Promise<ReplayReport> {
  const { session, root, revision, level, assetsDir, environment, log, signal } = parts;
  const plan = planReplay(session.messages);
  const snapshots = new GitSnapshots({
    root: copy.root,
    environment,
    log,
    privateDir: path.join(copy.folder, "snapshots"),
  });
  const before = await treeOf(snapshots);
  const terminal = await openTerminalHost({
    root: copy.root,
    assetsDir,
    environment,
    log,
    copied: await originalsOf(copy, parts),
  });
  const shell = withheldShell(terminal.shell);
  let replay: Replay | undefined;
  let stopping: Promise<void> | undefined;
  const endpoint = recordedEndpoint(
    () => replay?.next(),
    () => {
      stopping = opened.project.view.stop();
    },
  );
  const host: Host = { ...withoutReach(terminal), shell, fetch: endpoint.fetch };
  const [settings, strict] = [replaySettings(parts, level), replaySettings(parts, "ask")];
  const opened = await openProject({
    host,
    sessions: { folder: path.join(copy.folder, "sessions") },
    dataDir: undefined,
    environment,
    settings: () => (replay?.asksAll ? strict : settings),
    settingsAreFresh: true,
    apiKey: async () => undefined,
    // Without subtasks, whose requests would use up the answers of this task.
    registry: new ToolRegistry(toolsFor(host).filter(({ sideBySide }) => !sideBySide)),
  });
  const { project } = opened;
  const stop = () => {
    stopping = project.view.stop();
  };
  signal.addEventListener("abort", stop);
  try {
    const scratchGit = path.join(copy.root, ".git");
    replay = new Replay({
      plan,
      project,
      level,
      shell,
      signal,
      isScratchFile: (file) => {
        const whole = path.resolve(copy.root, file);
        return isInside(copy.root, whole) && !isInside(scratchGit, whole);
      },
    });
    const replayed = await replay.play();
    signal.throwIfAborted();
    await stopping;
    await project.view.stop();
    const { messages } = await project.library.whole(project.view.active.id);
    const roots = await foldersOf(copy, root, session);
    const { offered } = endpoint;
    const compared = compareCalls({ plan, replayed, messages, offered, roots });
    const files = await compareFiles(copy, parts, { snapshots, before });
    const notSent = replayed.notSent.map((text) => ({ what: "message" as const, text }));
    const answers = { recorded: plan.answers.length, played: replayed.played };
    const same =
      compared.differences.length === 0 &&
      answers.played === answers.recorded &&
      notSent.length === 0 &&
      files.every(({ recorded }) => recorded !== "different");
    return {
      type: "replay",
      version: REPLAY_VERSION,
      session: session.summary.id,
      against: { revision: revision ?? null, commit: copy.commit ?? null },
      permission: level,
      same,
      answers,
      ...compared,
      skipped: [...plan.skipped, ...notSent],
      files,
    };
  } finally {
    signal.removeEventListener("abort", stop);
    await project.view.stop();
    shell.dispose();
    await opened.close();
    await snapshots.dispose();
  }
}

/**
 * A replay contacts no site, starts no browser and runs no program, so that its result is always the same and nothing outside the copy
 * changes. The port `shell` runs the commands of the session, and the caller decides which of them.
 */
export function withoutReach({ web: _web, browser: _browser, fetchVia: _via, ...host }: Host): Host {
  return {
    ...host,
    programs: {
      async run() {
        throw new ToolError("The program was not run, because this is a replay.");
      },
    },
  };
}

function replaySettings({ settings, session }: ReplayParts, level: Level): Settings {
  const model = session.messages.findLast(({ role }) => role === "assistant")?.model ?? "recorded";
  const access = LEVEL_ACCESS[level];
  return settingsSchema.parse({
    ...settings,
    provider: {
      baseUrl: RECORDED_URL,
      api: "chat",
      model: `default/${model}`,
      protocol: "native",
      contextWindow: ENDLESS_WINDOW,
    },
    connections: [],
    models: {},
    approval: {
      ...access,
      readOutside: level === "all",
      web: false,
      mcp: false,
      ignoreRequiresApproval: access.commandAll,
      maxRequests: 0,
      maxCost: 0,
    },
    titles: { fromModel: false },
    // Nothing in the copy has to be restored.
    checkpoints: { ...settings.checkpoints, enabled: false },
  });
}

async function treeOf(snapshots: Snapshots): Promise<string> {
  const snapshot = await snapshots.take();
  if ("tree" in snapshot) return snapshot.tree;
  throw new Error(`the copy cannot be compared: ${snapshot.unavailable}`);
}

/** The folders that the copy represents: the project, its repository, and the worktree that the session worked in. */
async function originalsOf(
  copy: ScratchCopy,
  { root, session: { worktree } }: ReplayParts,
): Promise<CopiedFolder[]> {
  const repository = await findRepository(root);
  const top = repository ? [{ original: repository.top, copy: copy.top }] : [];
  const own = worktree === undefined || worktree === "unreadable" ? [] : [worktree];
  return [
    { original: root, copy: copy.root },
    ...top,
    ...own.flatMap((each) => [
      { original: each.root, copy: copy.root },
      { original: each.path, copy: copy.top },
    ]),
  ];
}

/** The paths of the project in results: its folder in the session and in the replay, longer ones first. */
async function foldersOf(copy: ScratchCopy, root: string, { worktree }: StoredSession): Promise<string[]> {
  const elsewhere = worktree === undefined || worktree === "unreadable" ? [] : [worktree.root, worktree.path];
  const own = [root, await realpath(root), ...elsewhere];
  return [...new Set([copy.root, ...own])].sort((a, b) => b.length - a.length);
}

type Files = ReplayReport["files"];

async function compareFiles(
  copy: ScratchCopy,
  { left, root }: ReplayParts,
  { snapshots, before }: { snapshots: Snapshots; before: string },
): Promise<Files> {
  const changes = await snapshots.changes(before, await treeOf(snapshots));
  const changed = new Map(changes.map((change) => [relativeTo(copy.root, change.path), change]));
  const recorded = new Map(
    [...left]
      .filter(([file]) => isInside(root, file))
      .map(([file, content]) => [relativeTo(root, file), content]),
  );
  const paths = [...new Set([...changed.keys(), ...recorded.keys()])].sort();
  return Promise.all(
    paths.map(async (name): Promise<Files[number]> => {
      const found = await nodeFileStates.read(path.join(copy.root, name), FILE_LIMIT);
      const now = typeof found === "string" ? undefined : (found?.bytes ?? null);
      const change = changed.get(name);
      const kind = !change ? "unchanged" : !change.before ? "added" : change.after ? "changed" : "deleted";
      return {
        path: name,
        kind,
        sha256: now ? createHash("sha256").update(now).digest("hex") : null,
        recorded: comparedBytes(recorded.get(name), now),
      };
    }),
  );
}

function comparedBytes(
  recorded: FileContent | null | undefined,
  now: Uint8Array | null | undefined,
): Files[number]["recorded"] {
  if (recorded === undefined || now === undefined) return "unknown";
  const isSame =
    recorded === null || now === null ? recorded === now : Buffer.compare(recorded.bytes, now) === 0;
  return isSame ? "same" : "different";
}

function relativeTo(folder: string, file: string): string {
  return path.relative(folder, file).split(path.sep).join("/");
}
