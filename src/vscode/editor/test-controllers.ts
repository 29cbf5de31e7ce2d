/**
 * The `EditorTests` port on the test extensions of VS Code. The API shows an extension no tests but its own; the commands that are used
 * here are not documented, so everything is absent where one of them is missing or answers in another form.
 */
import * as path from "node:path";
import * as vscode from "vscode";
import { Interrupt, messageOf, ToolError, throwIfAborted } from "../../core/errors.ts";
import type { EditorTests, TestResult, TestState } from "../../core/ports/editor-tests.ts";
import type { Search } from "../../core/ports/search.ts";
import { within } from "../../node/clock.ts";
import * as z from "../../shared/zod.ts";
import { untilAborted } from "./language-servers.ts";

/** Ids of the extensions' controllers that have tests. */
const CONTROLLERS = "vscode.testing.getControllersWithTests";
/** The tests of a file, by its uri. */
const IN_FILE = "vscode.testing.getTestsInFile";
/** Runs the tests in a file or folder, and returns the results when all have ended. */
const RUN = "testing.run.uri";
const CANCEL = "testing.cancelRun";

/** Files of a folder that are looked at for tests. */
const LISTED_FILES = 5_000;
const MOST_ASKED = 300;
const NAMED_AS_TESTS = /(?:^|[._/-])(?:tests?|specs?|__tests__)(?:[._/-]|$)/i;

/** Milliseconds before a run that does not end is canceled again; doubles each time. */
const FIRST_PAUSE = 50;
const LAST_PAUSE = 5_000;

/** What separates the parts of a test's id; the first part is the controller. */
const SEPARATOR = "\0";

const STATES: Readonly<Record<number, TestState>> = { 3: "passed", 4: "failed", 5: "skipped", 6: "errored" };

const messageSchema = z.object({
  message: z.union([
    z.string(),
    z.pipe(
      z.object({ value: z.string() }),
      z.transform(({ value }) => value),
    ),
  ]),
});

/** The first line, in the forms in which the editor and its API write ranges. */
const firstLine = z.union([
  z.pipe(
    z.object({ startLineNumber: z.number() }),
    z.transform(({ startLineNumber }) => startLineNumber - 1),
  ),
  z.pipe(
    z.object({ start: z.object({ line: z.number() }) }),
    z.transform(({ start }) => start.line),
  ),
  z.pipe(
    z.array(z.object({ line: z.number() })),
    z.transform(([start]) => start?.line),
  ),
]);

const resultSchema = z.object({
  items: z.array(
    z.object({
      item: z.object({
        extId: z.string(),
        label: z.string(),
        uri: z.nullish(z.object({ path: z.string(), scheme: z.string() })),
        range: z.catch(z.nullish(firstLine), undefined),
      }),
      ownComputedState: z.number(),
      tasks: z.array(
        z.object({ duration: z.nullish(z.number()), messages: z.catch(z.array(messageSchema), []) }),
      ),
    }),
  ),
});
type RunItem = z.output<typeof resultSchema>["items"][number];

export class TestControllers implements EditorTests {
  readonly #search: Pick<Search, "files">;

  constructor(search: Pick<Search, "files">) {
    this.#search = search;
  }

  async knows(paths: readonly string[], signal: AbortSignal): Promise<boolean> {
    const commands = new Set(await vscode.commands.getCommands(true));
    if (![CONTROLLERS, IN_FILE, RUN, CANCEL].every((command) => commands.has(command))) return false;
    const controllers = z.array(z.unknown()).safeParse(await vscode.commands.executeCommand(CONTROLLERS));
    if (!controllers.success || controllers.data.length === 0) return false;
    for (const each of paths) if (await this.#hasTests(each, signal)) return true;
    return false;
  }

  async run(paths: readonly string[], signal: AbortSignal): Promise<TestResult[]> {
    const results: TestResult[] = [];
    // One after the other: the editor would show runs at the same time as one.
    for (const each of paths) results.push(...(await runIn(each, signal)));
    return results;
  }

  /** For a folder, the editor only tells for each file. Running a folder without tests shows the user a message. */
  async #hasTests(target: string, signal: AbortSignal): Promise<boolean> {
    if (await isInFile(target)) return true;
    const stat = await vscode.workspace.fs.stat(vscode.Uri.file(target)).then(
      (found) => found,
      () => undefined,
    );
    if (stat === undefined || (stat.type & vscode.FileType.Directory) === 0) return false;
    const { paths } = await this.#search.files(target, { limit: LISTED_FILES, signal });
    const [named, others] = [true, false].map((is) =>
      paths.filter((file) => NAMED_AS_TESTS.test(file) === is),
    );
    for (const file of [...(named ?? []), ...(others ?? [])].slice(0, MOST_ASKED)) {
      throwIfAborted(signal);
      if (await isInFile(path.join(target, file))) return true;
    }
    return false;
  }
}

async function isInFile(file: string): Promise<boolean> {
  const answer = await vscode.commands.executeCommand(IN_FILE, vscode.Uri.file(file));
  const tests = z.array(z.unknown()).safeParse(answer);
  return tests.success && tests.data.length > 0;
}

async function runIn(target: string, signal: AbortSignal): Promise<TestResult[]> {
  const run = Promise.resolve(vscode.commands.executeCommand(RUN, vscode.Uri.file(target)));
  try {
    const answer = await untilAborted(run, signal);
    if (answer === undefined || answer === null) return [];
    const parsed = resultSchema.safeParse(answer);
    if (parsed.success) return resultsOf(parsed.data.items);
  } catch (error) {
    if (!(error instanceof Interrupt))
      throw new ToolError(`The editor could not run the tests: ${messageOf(error)}`);
    // The task does not wait for what the extension still does.
    cancel(run).catch(() => {
      // A window that closes ends all runs itself.
    });
    throw error;
  }
  throw new ToolError(
    "The editor ran the tests and shows the results in its Testing view, but they cannot be read here.",
  );
}

/** Ends all runs, which is all that the editor offers. One that is about to start is not among them yet, and no event tells when it is. */
async function cancel(run: Promise<unknown>): Promise<void> {
  const ended = run.then(
    () => undefined,
    () => undefined,
  );
  for (let pause = FIRST_PAUSE; pause <= LAST_PAUSE; pause *= 2) {
    await vscode.commands.executeCommand(CANCEL);
    if ((await within(ended, pause)) !== "late") return;
  }
}

/** The tests, without the groups and files that contain them unless these have a result of their own. */
function resultsOf(items: readonly RunItem[]): TestResult[] {
  const byId = new Map(items.map((each) => [each.item.extId, each]));
  const parents = new Set(items.map(({ item }) => parentOf(item.extId)));
  return items.flatMap(({ item, ownComputedState, tasks }) => {
    const state = STATES[ownComputedState] ?? "not-run";
    if (state === "not-run" && parents.has(item.extId)) return [];
    const { uri, range } = item;
    const durations = tasks.flatMap(({ duration }) => (typeof duration === "number" ? [duration] : []));
    return [
      {
        name: nameOf(item.extId, byId),
        state,
        ...(uri?.scheme === "file" || uri?.scheme === "vscode-remote" ? { path: fileOf(uri) } : {}),
        ...(typeof range === "number" ? { line: range } : {}),
        ...(durations.length > 0 ? { durationMs: Math.max(...durations) } : {}),
        messages: tasks.flatMap(({ messages }) => messages.map(({ message }) => message)),
      },
    ];
  });
}

const parentOf = (id: string): string => id.slice(0, Math.max(0, id.lastIndexOf(SEPARATOR)));

const fileOf = (uri: { path: string }): string => vscode.Uri.file(uri.path).fsPath;

/** The labels from the first group in the file on. */
function nameOf(id: string, items: ReadonlyMap<string, RunItem>): string {
  const labels: string[] = [];
  for (let at = id; at !== ""; at = parentOf(at)) {
    const item = items.get(at)?.item;
    // A file has no range, and neither has a controller.
    if (!item || (at !== id && typeof item.range !== "number")) continue;
    labels.unshift(item.label);
  }
  return labels.join(" > ");
}
