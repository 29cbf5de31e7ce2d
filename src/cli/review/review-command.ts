/** `nekode review`: the findings of a review as text or JSON. */
import { writeFile } from "node:fs/promises";
import { ReviewFailure, ReviewRequestFailure } from "../../core/agent/review/review-failure.ts";
import { messageOf } from "../../core/errors.ts";
import { systemClock } from "../../node/clock.ts";
import { addLanguageServers } from "../../node/config/language-server-setup.ts";
import { onceEndSignal } from "../../node/end-signals.ts";
import { openProject } from "../../node/open-project.ts";
import { defaultDataDir } from "../../node/store/project-store.ts";
import { openTerminalHost } from "../../node/terminal-host.ts";
import { type ReviewProgress, type ReviewReport, SEVERITIES, type Severity } from "../../shared/review.ts";
import {
  reviewFailureText,
  reviewMarkdown,
  reviewProgressText,
  reviewText,
} from "../../shared/words/review-words.ts";
import { readOptions } from "../command-options.ts";
import { keyInEnvironment } from "../config/maker-keys.ts";
import { terminalErrorText } from "../printer.ts";
import {
  assetsDir,
  configFileIn,
  configOf,
  folderAt,
  type ProgramContext,
  print,
  programDir,
} from "../program.ts";
import { EXIT_CODE } from "../run.ts";
import { harmlessJson, jsonLine, oneLine } from "../screen.ts";
import { UsageError } from "../usage-error.ts";
import { REVIEW_USAGE, type ReviewOptions, readReviewOptions } from "./review-options.ts";

/** There are findings as `--fail-on` names them. Not the code of an error. */
const HAS_FINDINGS = 5;

declare const NEKODE_VERSION: string;

/** `args`: the arguments after `review`. Resolves with the exit code. */
export async function reviewInTerminal(
  context: ProgramContext,
  args: readonly string[],
  beginTask: () => Promise<void>,
): Promise<number> {
  const options = readReviewOptions(args, context.cwd);
  if (options.help) return print(context, REVIEW_USAGE);
  folderAt(options.cwd);
  await beginTask();
  const stop = new AbortController();
  let isTimeOver = false;
  onceEndSignal(context.signals, () => stop.abort());
  const timer =
    options.timeoutMs === undefined
      ? undefined
      : systemClock.after(options.timeoutMs, () => {
          isTimeOver = true;
          stop.abort();
        });
  try {
    const { report, failure } = await reviewed(context, options, stop.signal);
    if (report) {
      const code = codeOf(report, options.failOn);
      await writeOutcome(options, outcomeOf(context, report, code));
      await print(context, options.json ? jsonLine(report) : reviewText(context.t, report, oneLine));
      return code;
    }
    const code = failureCode(failure, { stop, isTimeOver });
    const words = failureWords(context, failure, isTimeOver);
    await writeOutcome(options, failedOutcome(words, code));
    if (code !== EXIT_CODE.interrupted) await context.screen.err(`nekode: ${words}\n`);
    return code;
  } finally {
    timer?.dispose();
  }
}

interface Reviewed {
  report?: ReviewReport;
  failure?: unknown;
}

async function reviewed(
  context: ProgramContext,
  { scope, cwd, agentArgs, json }: ReviewOptions,
  signal: AbortSignal,
): Promise<Reviewed> {
  const { environment, withKeys, screen, log, t } = context;
  const named = readOptions(agentArgs, withKeys, cwd);
  const config = await configOf(context, [], configFileIn(context, named.configDir));
  const { settings, dataDir = defaultDataDir(environment) } = readOptions(
    agentArgs,
    withKeys,
    context.cwd,
    config,
  );
  if (dataDir === undefined)
    throw new UsageError(
      "there is no home folder to store what requests cost; specify a folder with --data-dir",
    );
  const host = await openTerminalHost({
    root: cwd,
    assetsDir,
    environment,
    dataDir,
    log,
  });
  const languageServers = await addLanguageServers(host, {
    ...{ configDir: named.configDir, dataDir, environment, programDir, version: NEKODE_VERSION },
  });
  const opened = await openProject({
    host,
    sessions: { root: cwd, onlyReads: true },
    dataDir,
    environment,
    settings: () => settings,
    apiKey: async (connection) => keyInEnvironment(connection, withKeys),
    version: NEKODE_VERSION,
    unattended: true,
    t,
  });
  const onProgress = (progress: ReviewProgress) => {
    if (!json) void screen.err(`${oneLine(reviewProgressText(t, progress))}\n`);
  };
  try {
    return { report: await opened.project.review(scope, { signal, onProgress }) };
  } catch (failure) {
    return { failure };
  } finally {
    host.shell.dispose();
    await opened.close();
    await languageServers?.close();
  }
}

function codeOf({ ended, findings }: ReviewReport, failOn: Severity | undefined): number {
  if (ended === "failed") return EXIT_CODE.error;
  const worst = failOn === undefined ? -1 : SEVERITIES.indexOf(failOn);
  if (findings.some(({ severity }) => SEVERITIES.indexOf(severity) <= worst)) return HAS_FINDINGS;
  return ended === "limit" ? EXIT_CODE.limit : EXIT_CODE.completed;
}

function failureCode(
  failure: unknown,
  { stop, isTimeOver }: { stop: AbortController; isTimeOver: boolean },
): number {
  if (isTimeOver) return EXIT_CODE.limit;
  if (stop.signal.aborted) return EXIT_CODE.interrupted;
  if (!(failure instanceof ReviewFailure)) return EXIT_CODE.error;
  // Nothing to review is no error: there are no findings.
  if (failure.code === "nothing-to-review") return EXIT_CODE.completed;
  return failure.code === "limit" ? EXIT_CODE.limit : EXIT_CODE.error;
}

function failureWords({ t }: ProgramContext, failure: unknown, isTimeOver: boolean): string {
  if (isTimeOver) return t("The time limit has been reached.");
  if (failure instanceof ReviewFailure) return oneLine(reviewFailureText(t, failure.code, failure.detail));
  return failure instanceof ReviewRequestFailure ? terminalErrorText(t, failure.view) : messageOf(failure);
}

/** The outcome in the form of the report of a run, for programs that start either. */
interface Outcome {
  status: "done" | "failed" | "limit" | "stopped";
  answer: string;
  output?: ReviewReport;
  requests: number;
  cost: number | null;
  error?: { code: string; text: string };
}

function outcomeOf({ t }: ProgramContext, report: ReviewReport, code: number): Outcome {
  const { ended, requests, cost } = report;
  const status = code === HAS_FINDINGS ? "done" : ended;
  return { status, answer: reviewMarkdown(t, report, { links: false }), output: report, requests, cost };
}

/** Where there is nothing to review, the words are the answer. */
function failedOutcome(words: string, code: number): Outcome {
  const nothing = { requests: 0, cost: null };
  if (code === EXIT_CODE.completed) return { status: "done", answer: words, ...nothing };
  const status = code === EXIT_CODE.limit ? "limit" : code === EXIT_CODE.interrupted ? "stopped" : "failed";
  return { status, answer: "", ...nothing, error: { code: "review", text: words } };
}

async function writeOutcome({ report: file }: ReviewOptions, outcome: Outcome): Promise<void> {
  if (file === undefined) return;
  const asOfARun = { session: null, files: [], checks: [], ...outcome };
  await writeFile(file, harmlessJson(JSON.stringify(asOfARun)));
}
