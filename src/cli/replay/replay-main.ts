/** `nekode replay`: runs the tool calls of a session again on other files. */
import { planReplay } from "../../core/agent/replay/replay-plan.ts";
import { onceEndSignal } from "../../node/end-signals.ts";
import { ScratchRefused } from "../../node/git/scratch-copy.ts";
import { openProject } from "../../node/open-project.ts";
import { defaultDataDir } from "../../node/store/project-store.ts";
import { openTerminalHost } from "../../node/terminal-host.ts";
import { readOptions } from "../command-options.ts";
import { assetsDir, configFileIn, configOf, folderAt, type ProgramContext, print } from "../program.ts";
import { EXIT_CODE } from "../run.ts";
import { jsonLine, oneLine } from "../screen.ts";
import { UsageError } from "../usage-error.ts";
import { REPLAY_USAGE, readReplayOptions } from "./replay-options.ts";
import { replaySession } from "./replay-session.ts";
import { replayText, scratchRefusalText } from "./replay-words.ts";

/** A difference has its own exit code, which is not that of an error, as in `diff`. */
const DIFFERS = 5;

/** `args`: the arguments after `replay`. Resolves with the exit code. */
export async function runReplay(context: ProgramContext, args: readonly string[]): Promise<number> {
  const { environment, withKeys, cwd, log, t } = context;
  const options = readReplayOptions(args, environment, cwd);
  if (options.help) return print(context, REPLAY_USAGE);
  const { session: id, revision, level } = options;
  const root = folderAt(options.cwd);
  const dataDir = options.dataDir ?? defaultDataDir(environment);
  if (dataDir === undefined)
    throw new UsageError("there is no home folder to find sessions in; specify a folder with --data-dir");
  const config = await configOf(context, args, configFileIn(context, options.configDir));
  const { settings } = readOptions([], withKeys, root, config);
  const { session, left } = await storedSession(context, { id, root, dataDir });
  if (planReplay(session.messages).answers.length === 0)
    throw new Error(t("Session {0} has no answers to replay.", oneLine(id)));
  const interrupt = new AbortController();
  onceEndSignal(context.signals, () => interrupt.abort());
  try {
    const report = await replaySession({
      session,
      left,
      root,
      revision,
      level,
      settings,
      assetsDir,
      environment,
      log,
      signal: interrupt.signal,
    });
    await print(context, options.json ? jsonLine(report) : replayText(report, t));
    return report.same ? EXIT_CODE.completed : DIFFERS;
  } catch (error) {
    if (interrupt.signal.aborted) return EXIT_CODE.interrupted;
    if (error instanceof ScratchRefused)
      throw new Error(scratchRefusalText(t, error.code, { root, revision: oneLine(revision ?? "") }));
    throw error;
  }
}

/** Opens the project for reading only. */
async function storedSession(
  { environment, withKeys, log }: ProgramContext,
  { id, root, dataDir }: { id: string; root: string; dataDir: string },
) {
  const host = await openTerminalHost({ root, assetsDir, environment, log });
  const opened = await openProject({
    host,
    sessions: { root, onlyReads: true },
    dataDir,
    environment,
    settings: () => readOptions([], withKeys, root).settings,
    apiKey: async () => undefined,
  });
  try {
    const { library } = opened.project;
    const session = await library.whole(id);
    return { session, left: await library.leftFiles(session) };
  } finally {
    host.shell.dispose();
    await opened.close();
  }
}
