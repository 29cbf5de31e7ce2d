/** What the model and the row get of tests that the editor ran. See `late-parts.ts` for what this file must not import. */
import type { HitList } from "../../../shared/message.ts";
import type { ShownTests } from "../../../shared/shown-tests.ts";
import type { TestResult } from "../../ports/editor-tests.ts";
import { sliceWhole } from "../../text.ts";

/** Failures that are listed, and characters of one message. */
const MOST_FAILURES = 50;
const LONGEST_MESSAGE = 2_000;

export interface EditorReport {
  text: string;
  counts: Omit<Exclude<ShownTests, { command: string }>, "path">;
  hits: HitList;
  /** Some failed. */
  hasFailed: boolean;
  /** The editor does not tell why some failed. */
  isUnexplained: boolean;
}

/** `shown`: a path for display. */
export function editorReport(
  results: readonly TestResult[],
  durationMs: number,
  shown: (path: string) => string,
): EditorReport {
  const count = (...states: TestResult["state"][]) =>
    results.filter(({ state }) => states.includes(state)).length;
  const counts = {
    passed: count("passed"),
    failed: count("failed", "errored"),
    skipped: count("skipped"),
    notRun: count("not-run"),
  };
  const failures = results.filter(({ state }) => state === "failed" || state === "errored");
  const listed = failures.slice(0, MOST_FAILURES);
  const more = failures.length - listed.length;
  const lines = listed.flatMap((failure) => failureLines(failure, shown));
  const list =
    lines.length === 0 ? "" : `\n\nFailed:\n${lines.join("\n")}${more > 0 ? `\n(${more} more)` : ""}`;
  const found = listed.flatMap(({ name, path, line }) =>
    path === undefined
      ? []
      : [{ path: shown(path), ...(line === undefined ? {} : { line: line + 1, text: name }) }],
  );
  return {
    text: `${summary(counts, results.length, durationMs)}${list}`,
    counts,
    hits: { found, more: failures.length - found.length },
    hasFailed: failures.length > 0,
    isUnexplained: failures.some(({ messages }) => messages.length === 0),
  };
}

function failureLines(failure: TestResult, shown: (path: string) => string): string[] {
  const { name, path, line, durationMs, state, messages } = failure;
  const facts = [
    ...(path === undefined ? [] : [`${shown(path)}${line === undefined ? "" : `:${line + 1}`}`]),
    ...(durationMs === undefined ? [] : [`${Math.round(durationMs)} ms`]),
    ...(state === "errored" ? ["did not run to its end"] : []),
  ];
  const about = facts.length === 0 ? "" : ` (${facts.join(", ")})`;
  return [
    `- ${name}${about}`,
    ...messages.map((text) => sliceWhole(text, 0, LONGEST_MESSAGE).replace(/^/gm, "  ")),
  ];
}

function summary(
  { passed, failed, skipped, notRun }: EditorReport["counts"],
  total: number,
  durationMs: number,
): string {
  if (total === 0)
    return "The editor ran no tests there. If there should be some, look at what the file defines.";
  const parts: [number, string][] = [
    [passed, "passed"],
    [failed, "failed"],
    [skipped, "skipped"],
    [notRun, "without a result"],
  ];
  const said = parts.flatMap(([number, what]) => (number > 0 ? [`${number} ${what}`] : []));
  const seconds = (durationMs / 1000).toFixed(1);
  return `The editor ran ${total} test${total === 1 ? "" : "s"} in ${seconds} s: ${said.join(", ")}.`;
}
