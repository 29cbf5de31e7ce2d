/** No fixed sleeps and no polling where an event exists: each timer of the product, and each sleep of a test, has its reason here. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const repository = path.join(import.meta.dirname, "../..");

/** How many timers a file starts, and why no event does instead. */
const TIMERS: Record<string, readonly [count: number, why: string]> = {
  "src/acp/session-reporter.ts": [2, "a limit, and output that is collected before it is sent"],
  "src/batch/queue/queue-link.ts": [1, "a limit"],
  "src/batch/queue/queue-worker.ts": [1, "a limit"],
  "src/cli/long-wait.ts": [1, "a minute in which the model has not answered"],
  "src/cli/review/review-command.ts": [1, "the limit that the user set"],
  "src/cli/run.ts": [1, "the limit that the user set"],
  "src/cli/start/launcher.ts": [1, "the garbage collector works later"],
  "src/core/agent/session-library.ts": [1, "the time in which a deletion can be undone"],
  "src/core/loop/calls/background-list.ts": [1, "output is collected before it is shown"],
  "src/core/loop/from-servers.ts": [1, "the status says what takes long"],
  "src/core/loop/request.ts": [1, "the pause that the endpoint asks for"],
  "src/core/loop/task-servers.ts": [1, "the status says what takes long"],
  "src/core/provider/answer-body.ts": [1, "a limit"],
  "src/core/provider/check/asker.ts": [1, "the pause that the endpoint asks for"],
  "src/core/provider/deadline.ts": [1, "a limit"],
  "src/core/safety/git/git-check.ts": [1, "a limit"],
  "src/core/servers/managed-server.ts": [1, "the pause between attempts to start a server"],
  "src/core/servers/project-servers.ts": [1, "a limit"],
  "src/core/sessions/search/search-index.ts": [1, "a limit"],
  "src/core/sessions/store.ts": [1, "writes are collected before they are synced"],
  "src/core/async.ts": [2, "what waits and pauses are made of"],
  "src/core/hooks/session-hooks.ts": [1, "the row of a slow hook appears before the hook ends"],
  "src/core/window/listed-window.ts": [1, "a limit"],
  "src/node/clock.ts": [2, "what timers and limits are made of"],
  "src/node/documents/document-reader.ts": [1, "a limit"],
  "src/node/files/blocking-files.ts": [2, "no event says that a program waits for a pipe"],
  "src/node/run-program.ts": [1, "a limit"],
  "src/node/servers/call-timer.ts": [1, "a limit"],
  "src/node/servers/lists/list-subscription.ts": [1, "the pause between attempts to subscribe"],
  "src/node/shell/command-output.ts": [1, "a limit"],
  "src/node/shell/command-process.ts": [2, "no event says that a program waits for input"],
  "src/node/shell/process-tree.ts": [1, "no event says that another process's child ended"],
  "src/node/shell/question-watch.ts": [1, "no event says that a program waits for input"],
  "src/node/store/process-locks.ts": [1, "no event says that another process released a lock"],
  "src/node/telemetry/export-telemetry.ts": [1, "no event says that a collector will not answer"],
  "src/vscode/editor/new-problems.ts": [3, "no event says that a language server is done, and limits"],
  "src/vscode/editor/preview-files.ts": [1, "changes are collected before they are shown"],
  "src/vscode/files/file-index.ts": [1, "changes are collected before they are indexed"],
  "src/vscode/panel/blank-page.ts": [1, "a limit"],
  "src/vscode/panel/bridge.ts": [1, "after the answer to the request"],
  "src/vscode/panel/rules-host.ts": [1, "changes are collected before they are shown"],
  "src/vscode/panel/sending/event-stream.ts": [1, "events are collected before they are sent"],
  "src/vscode/servers/server-list-host.ts": [1, "changes are collected before they are shown"],
  "src/vscode/services.ts": [3, "what is tidied and kept waits until the start is over"],
  "src/vscode/terminal/execution.ts": [2, "limits: the editor may not tell that a command began or ended"],
  "src/vscode/terminal/integrated-terminals.ts": [1, "a limit"],
  "webview-ui/screens/history.tsx": [1, "what is typed is collected before it is searched"],
  "webview-ui/status-parts.tsx": [1, "the clock that is shown"],
};

/** Sleeps in tests: each plays a time that passes, or chooses the moment of an interruption. */
const SLEEPS: Record<string, readonly [count: number, why: string]> = {
  "test/e2e/interrupted-edits.long.test.ts": [3, "the moments at which an edit is interrupted"],
  "test/unit/core/provider/answers.test.ts": [1, "a slow endpoint"],
  "test/unit/core/sessions/message-pages.test.ts": [1, "work that is due"],
  "test/unit/node/process-tree.test.ts": [1, "no event says that nothing happened"],
  "test/vscode/shells.test.ts": [1, "what the editor shows of a terminal has no event"],
  "test/vscode/support/kit.ts": [1, "the name of a terminal has no event"],
};

const TIMER = /\bset(?:Timeout|Interval)\(|[cC]lock\.after\(|(?<!function )\bwait\(\s*(?:[\w.#]+\.)?clock,/g;
/** Resolves after a time and for no other reason. */
const SLEEP = /\bnew Promise(?:<\w+>)?\(\(?(\w+)\)? => (?:void )?setTimeout\(\1\b|\.waitForTimeout\(/g;

function sources(folder: string): string[] {
  return readdirSync(path.join(repository, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[mc]?tsx?$/.test(entry.name))
    .map((entry) => path.relative(repository, path.join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
}

const textOf = (file: string): string => readFileSync(path.join(repository, file), "utf8");

/** Without comments, which may speak of timers. */
const codeOf = (file: string): string => textOf(file).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");

/** Calls of the promise of a time, by whatever name the module imports it. */
function pausesIn(code: string): readonly RegExpMatchArray[] {
  const named = /\{[^}]*\bsetTimeout(?: as (\w+))?[^}]*\} from "node:timers\/promises"/.exec(code);
  return named ? [...code.matchAll(new RegExp(`(?<![\\w.])${named[1] ?? "setTimeout"}\\(`, "g"))] : [];
}

function timersIn(file: string): number {
  const code = codeOf(file);
  return [...code.matchAll(TIMER), ...pausesIn(code)].length;
}

function sleepsIn(file: string): number {
  const code = codeOf(file);
  return [...code.matchAll(SLEEP), ...pausesIn(code)].length;
}

function counts(
  files: readonly string[],
  count: (file: string) => number,
  why: Readonly<Record<string, readonly [number, string]>>,
): Record<string, unknown> {
  const found = files.map((file) => [file, count(file)] as const).filter(([, number]) => number > 0);
  return Object.fromEntries(found.map(([file, number]) => [file, [number, why[file]?.[1] ?? "no reason"]]));
}

it("the product starts timers only where no event can do", () => {
  const files = [...sources("src"), ...sources("webview-ui")];
  expect(counts(files, timersIn, TIMERS)).toEqual(TIMERS);
});

it("tests wait for what happens, not for a time", () => {
  // Measurements watch for a time, and the model server plays slow endpoints.
  const files = sources("test").filter((file) => !/^test\/(?:bench|model-server|fixtures)\//.test(file));
  expect(counts(files, sleepsIn, SLEEPS)).toEqual(SLEEPS);
});
