import * as z from "../../shared/zod.ts";
import { Interrupt, ToolError, throwIfAborted } from "../errors.ts";
import type { EditorTests, TestResult } from "../ports/editor-tests.ts";
import { sliceWhole } from "../text.ts";
import { executeCommand } from "./execute-command.ts";
import { placesIn } from "./tests/failure-places.ts";
import type { WantedTests } from "./tests/test-command.ts";
import {
  defineTool,
  type Invocation,
  PATH_NAMES,
  type PathUse,
  type ToolContext,
  type ToolOutput,
  textOutput,
} from "./tool.ts";
import { displayPath, locatePath, statOf } from "./tool-paths.ts";

export const runTests = defineTool({
  name: "run_tests",
  paramNames: { path: PATH_NAMES, name: ["test", "test_name", "filter", "pattern"] },
  presentation: {
    icon: "terminal",
    title: { doing: "Run tests", running: "Running tests", done: "Ran tests" },
    row: "command",
    question: "Run these tests?",
  },
  access: "command",
  knownWhenPrepared: "command",
  description:
    "Runs the project's tests through the editor, or by the command that its manifest names. Without parameters: all.",
  guide: {
    description:
      "Runs the project's tests: through the editor where it knows them, otherwise by the command that the project's manifest names. Use it rather than execute_command for tests. The result has what failed, with its place.",
    params: {
      path: "A file or folder with tests. Default: all tests of the project.",
      name: "Only tests of this name, as it stands in the code.",
    },
  },
  schema: z.object({
    path: z.optional(z.string()).check(z.describe("A file or folder with tests.")),
    name: z.optional(z.string()).check(z.describe("Only tests of this name.")),
  }),
  // The row shows the command, or what the editor ran, which the parameters do not tell.
  subject: () => "",
  async prepare({ path: named, name: wantedName }, context) {
    const { host, signal } = context;
    const { root, roots, trusted } = host.workspace;
    if (root === undefined) throw new ToolError("No folder is open, so tests cannot run.");
    if (!trusted) throw new ToolError("The workspace is not trusted, so tests cannot run in it.");
    const name = wantedName?.trim() || undefined;
    const wanted: WantedTests = { path: root, isFolder: true, name };
    if (named !== undefined) {
      wanted.path = await locatePath(host, named);
      wanted.isFolder = (await statOf(context, wanted.path)).kind === "directory";
    }
    const paths = named === undefined ? roots.map((each) => each.path) : [wanted.path];
    const { editorTests } = host;
    // The editor runs whole files. Of a name without a file, only the command runs no more than that.
    const isWhole = name === undefined || !wanted.isFolder;
    const isKnown = editorTests && isWhole && (await editorTests.knows(paths, signal));
    const uses: PathUse[] = named === undefined ? [] : [{ path: wanted.path, access: "read" }];
    if (isKnown) return { ...inEditor(context, editorTests, { wanted, paths }), paths: uses };
    const { testCommand } = await import("./late-parts.ts");
    const found = await testCommand(host, wanted);
    if ("refusal" in found) throw new ToolError(found.refusal);
    return { ...(await byCommand(context, wanted, found.command)), paths: uses };
  },
});

/** The command, with everything that execute_command does and refuses. */
async function byCommand(context: ToolContext, wanted: WantedTests, command: string): Promise<Invocation> {
  const invocation = await executeCommand.prepare({ command, requires_approval: false }, context);
  return {
    ...invocation,
    async run(running) {
      const output = await invocation.run(running);
      const { shown = {} } = output;
      const failed = shown.background === undefined && shown.exitCode !== 0 && !shown.stoppedByUser;
      const { workspace } = context.host;
      const folders = [workspace.root, wanted.isFolder ? wanted.path : undefined].filter(
        (each) => each !== undefined,
      );
      const text = output.parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
      const found = failed ? await placesIn(context, text, folders) : [];
      return {
        ...output,
        parts: [{ type: "text", text: `The command was: ${command}` }, ...output.parts],
        shown: {
          ...shown,
          tests: { command },
          ...(found.length > 0 ? { hits: { found, more: 0 } } : {}),
        },
      };
    },
  };
}

/** What the editor's extensions run, which is where no sandbox reaches. */
function inEditor(
  context: ToolContext,
  tests: EditorTests,
  { wanted, paths }: { wanted: WantedTests; paths: readonly string[] },
): Invocation {
  const { workspace } = context.host;
  const shown = paths.map((path) => displayPath(workspace, path)).join(", ");
  return {
    paths: [],
    runsInEditor: true,
    view: { path: shown },
    async run({ signal, moveToBackground }) {
      const started = Date.now();
      const all = await untilMoved(tests.run(paths, signal), signal, moveToBackground);
      if (all === "moved")
        return {
          parts: [
            {
              type: "text",
              text: "The tests still run in the editor, whose Testing view shows their results.",
            },
          ],
        };
      const { name } = wanted;
      const results = name === undefined ? all : all.filter((each) => each.name.includes(name));
      return editorOutput(context, { results, wanted, durationMs: Date.now() - started, path: shown });
    },
  };
}

/** Resolves with "moved" as soon as the user continues without the results. Rejects with Interrupt. */
async function untilMoved<T>(
  work: Promise<T>,
  signal: AbortSignal,
  moved: AbortSignal | undefined,
): Promise<T | "moved"> {
  throwIfAborted(signal);
  const listening = new AbortController();
  const ends = new Promise<"moved">((resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Interrupt()), { signal: listening.signal });
    moved?.addEventListener("abort", () => resolve("moved"), { signal: listening.signal });
  });
  try {
    return await Promise.race([work, ends]);
  } finally {
    listening.abort();
  }
}

interface EditorRun {
  results: readonly TestResult[];
  wanted: WantedTests;
  durationMs: number;
  /** For display. */
  path: string;
}

async function editorOutput(
  context: ToolContext,
  { results, wanted, durationMs, path }: EditorRun,
): Promise<ToolOutput> {
  const { editorReport } = await import("./late-parts.ts");
  const { workspace } = context.host;
  const report = editorReport(results, durationMs, (path) => displayPath(workspace, path));
  const { text, counts, hits, hasFailed, isUnexplained } = report;
  const advice = isUnexplained ? `\n\n${await whyAdvice(context, wanted)}` : "";
  const limit = context.settings().context.maxResultCharacters;
  return {
    // The call did what it was to do, but its row shows at a glance that tests failed.
    ...(hasFailed ? { outcome: "failed" as const } : {}),
    ...textOutput(sliceWhole(text, 0, limit) + advice, {
      ...{ durationMs, tests: { path, ...counts } },
      ...(hits.found.length > 0 ? { hits } : {}),
    }),
  };
}

/** Where to find out why tests failed, if the editor does not tell. */
async function whyAdvice({ host }: ToolContext, wanted: WantedTests): Promise<string> {
  const { testCommand } = await import("./late-parts.ts");
  const found = await testCommand(host, wanted);
  return "command" in found
    ? `The editor does not tell why they failed. This prints it, with execute_command: ${found.command}`
    : "The editor does not tell why they failed. Read the tests, or run them on the command line.";
}
