/** What `nekode batch` shows: a line for each result, and one report at the end. */
import {
  BATCH_VERSION,
  type BatchReport,
  type BatchResult,
  type BatchTask,
} from "../shared/run/batch-lines.ts";
import type { Translate } from "../shared/words/task-words.ts";
import { sum } from "./local-batch.ts";

/** Tasks in the table that people read; the results file has all. */
const MOST_ROWS = 200;

export interface ReportParts {
  tasks: readonly BatchTask[];
  results: ReadonlyMap<string, BatchResult>;
  resultsFile: string;
  /** Of this run. */
  seconds: number;
  exit: number;
}

export function reportOf({ tasks, results, resultsFile, seconds, exit }: ReportParts): BatchReport {
  const own = tasks.flatMap(({ id }) => results.get(id) ?? []);
  const counts = { done: 0, failed: 0, limit: 0, "needs-approval": 0 };
  for (const { status } of own) counts[status]++;
  const checks = own.flatMap(({ check }) => check ?? []);
  const passed = checks.filter(({ exit }) => exit === 0).length;
  const costs = own.flatMap(({ cost }) => cost ?? []);
  return {
    type: "batch",
    version: BATCH_VERSION,
    exit,
    tasks: tasks.length,
    counts,
    left: tasks.length - own.length,
    checks: { passed, failed: checks.length - passed },
    cost: costs.length === 0 ? null : sum(costs),
    requests: sum(own.map(({ requests }) => requests)),
    seconds: Math.round(seconds * 10) / 10,
    results: resultsFile,
  };
}

/** One line, without its line break. */
export function progressText(t: Translate, result: BatchResult, done: number, of: number): string {
  const { check, error, approval } = result;
  const parts = [
    result.status,
    t("changed files: {0}", result.files.length),
    ...(result.cost === null ? [] : [dollars(result.cost)]),
    ...(check ? [t("check: {0}", check.exit ?? "-")] : []),
    ...(approval ? [`${approval.tool} ${approval.subject}`] : []),
    ...(error ? [error.text] : []),
  ];
  return `[${done}/${of}] ${result.id}: ${parts.join(", ")}`;
}

export function reportText(t: Translate, report: BatchReport, parts: ReportParts): string {
  const { counts, checks } = report;
  const own = parts.tasks.flatMap(({ id }) => parts.results.get(id) ?? []);
  const rows = own
    .slice(0, MOST_ROWS)
    .map((result) => [
      result.id,
      result.status,
      String(result.files.length),
      result.check ? String(result.check.exit ?? "-") : "",
      result.cost === null ? "" : dollars(result.cost),
      String(result.requests),
      `${result.seconds.toFixed(1)} s`,
    ]);
  const head = [t("Task"), t("Status"), t("Files"), t("Check"), t("Cost"), t("Requests"), t("Time")];
  const more = own.length - rows.length;
  const lines = [
    ...(rows.length > 0 ? table([head, ...rows]) : []),
    ...(more > 0 ? [t("{0} more results are in the file.", more)] : []),
    "",
    t(
      "Tasks: {0}. {1} done, {2} failed, {3} stopped by a limit, {4} waiting for approval, {5} left",
      ...[report.tasks, counts.done ?? 0, counts.failed ?? 0, counts.limit ?? 0],
      ...[counts["needs-approval"] ?? 0, report.left],
    ),
    ...(checks.passed + checks.failed > 0
      ? [t("Checks: {0} passed, {1} failed", checks.passed, checks.failed)]
      : []),
    [
      report.cost === null ? t("Cost: not known") : t("Cost: {0}", dollars(report.cost)),
      t("Requests: {0}", report.requests),
      t("Time: {0} s", report.seconds),
    ].join(" · "),
    t("Results: {0}", report.results),
  ];
  return `${lines.join("\n").trimStart()}\n`;
}

function dollars(cost: number): string {
  return `$${cost.toFixed(4)}`;
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
