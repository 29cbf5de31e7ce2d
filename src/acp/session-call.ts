/** Builds the report of a call from its row. */
import { resolve } from "node:path";
import type { ApprovalView, ChangedFile } from "../shared/event.ts";
import { terminalText } from "../shared/terminal-output.ts";
import {
  presentationOf,
  type ToolPresentation,
  type ToolPresentations,
} from "../shared/tool-presentation.ts";
import type { ChildTask } from "../shared/view/child-task.ts";
import type { CallRow } from "../shared/view/reducer.ts";
import { visible } from "../shared/visible.ts";
import { coverageTexts, dangersText, encodingTexts } from "../shared/words/approval-words.ts";
import { notKeptText } from "../shared/words/checkpoint-words.ts";
import { callDetail, callStateText, exitText, noteText } from "../shared/words/outcome-words.ts";
import { reasonText, refusalText } from "../shared/words/reasons/reasons.ts";
import { approvedPlaceText, madeFilesTexts, placeText, sandboxText } from "../shared/words/sandbox-words.ts";
import { askedByText, childStateText } from "../shared/words/session-words.ts";
import { callPhrase, fileChangeText, type Translate } from "../shared/words/task-words.ts";
import type { CallPart, CallReport } from "./reports.ts";

export interface CallContext {
  faces: ToolPresentations;
  /** The project's folder. */
  root: string;
  t: Translate;
  /** The known changes of files, with absolute paths. */
  diffs: readonly Extract<CallPart, { type: "diff" }>[];
}

const KINDS: Readonly<Record<NonNullable<ToolPresentation["work"]>, CallReport["kind"]>> = {
  read: "read",
  search: "search",
  edit: "edit",
  command: "command",
  web: "web",
  server: "other",
  task: "other",
  other: "other",
};

/** Whether the call is shown as a message of the agent, such as a result, and not as an action. */
export function isSaid(presentation: ToolPresentation | undefined): boolean {
  return presentation?.row === "result" || presentation?.row === "plan" || presentation?.row === "question";
}

export function callReport(row: CallRow, context: CallContext): CallReport {
  const { faces, t } = context;
  const presentation = presentationOf(faces, row.tool);
  const input = inputOf(row.approval);
  return {
    id: row.id,
    tool: row.tool,
    title: visible(callPhrase(t, presentation, row)).replaceAll("\n", "⏎") || row.tool,
    kind: kindOf(row, presentation),
    state: stateOf(row),
    files: filesOf(row, presentation, context),
    parts: partsOf(row, context),
    ...(input ? { input } : {}),
  };
}

function kindOf({ approval }: CallRow, presentation: ToolPresentation | undefined): CallReport["kind"] {
  const kinds = new Set(approval?.files?.map(({ kind }) => kind));
  if (kinds.size === 1 && kinds.has("delete")) return "delete";
  if (kinds.size === 1 && kinds.has("move")) return "move";
  return presentation?.work === undefined ? "other" : KINDS[presentation.work];
}

/** A command that the user stopped has a result for the model, but is not completed. */
function stateOf({ state, shown }: CallRow): CallReport["state"] {
  switch (state) {
    case "streaming":
    case "approval":
      return "pending";
    case "running":
      return "running";
    case "done":
      return shown?.stoppedByUser ? "failed" : "done";
    case "failed":
    case "rejected":
    case "interrupted":
    case "not-run":
      return "failed";
  }
}

function filesOf(
  row: CallRow,
  presentation: ToolPresentation | undefined,
  { root, diffs }: CallContext,
): CallReport["files"] {
  const line = row.approval?.hunks?.shown[0]?.line;
  const paths = new Map<string, { path: string; line?: number }>();
  const add = (path: string, at?: number) =>
    paths.set(path, { path, ...(at === undefined ? {} : { line: at }) });
  for (const { path } of diffs) add(path);
  for (const { path, to } of row.approval?.files ?? []) add(resolve(root, to ?? path));
  if (row.approval?.path !== undefined) add(resolve(root, row.approval.path), line);
  else if (paths.size === 0 && presentation?.opens?.includes("file") && row.subject !== "")
    add(resolve(root, row.subject));
  return [...paths.values()];
}

function inputOf(approval: ApprovalView | undefined): Record<string, unknown> | undefined {
  if (!approval) return undefined;
  const { command, cwd, url, query, server } = approval;
  const fields = Object.entries({ command, cwd, url, query, ...server });
  const input = Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  return Object.keys(input).length === 0 ? undefined : input;
}

function partsOf(row: CallRow, context: CallContext): CallPart[] {
  const { diffs, faces, t } = context;
  const { state, approval, output = row.shown?.output } = row;
  const texts: string[] = [];
  if (state === "approval" && approval) texts.push(...approvalLines(approval, context));
  // A proposal's text is part of what is approved.
  if (row.text !== "" && (state !== "approval" || row.text !== approval?.text)) texts.push(row.text);
  if (output !== undefined && output !== "") texts.push(fenced(terminalText(output)));
  if ((row.sandbox || row.outside) && state === "running") texts.push(placeText(t, row));
  if (!["streaming", "approval", "running"].includes(state))
    texts.push(...resultLines(row, presentationOf(faces, row.tool), t));
  const task = row.task ?? row.shown?.task;
  if (task) texts.push(childLines(task, context));
  const text = texts.join("\n\n");
  return [...(text === "" ? [] : [{ type: "text" as const, text }]), ...diffs];
}

/** What the row shows of the result. */
function resultLines(
  { state, shown = {} }: CallRow,
  presentation: ToolPresentation | undefined,
  t: Translate,
): string[] {
  const { exitCode, stoppedByUser, note, comment, sandbox } = shown;
  const detail = refusalText(t, shown) ?? callDetail(t, presentation, shown);
  const outcome = callStateText(t, state);
  const lines = [[outcome, detail].filter((each) => each !== "").join(": ")];
  if (note) lines.push(noteText(t, note));
  if (exitCode !== undefined && (exitCode !== 0 || stoppedByUser))
    lines.push(exitText(t, { exitCode, stoppedByUser }));
  if (sandbox) lines.push(sandboxText(t, sandbox));
  if (sandbox?.made) lines.push(...madeFilesTexts(t, sandbox.made));
  if (comment !== undefined) lines.push(comment);
  return lines.filter((line) => line !== "").map(visible);
}

/** The state of the task that the call started, and the calls that it made. */
function childLines(task: ChildTask, { faces, t }: CallContext): string {
  const steps = task.steps.map(
    (step) => `- ${visible(callPhrase(t, presentationOf(faces, step.tool), step)).replaceAll("\n", "⏎")}`,
  );
  return [childStateText(t, task.state), ...steps].join("\n");
}

/** Everything that the user decides on and that is neither in the title nor in a diff. */
function approvalLines(approval: ApprovalView, { diffs, root, t }: CallContext): string[] {
  const { command, cwd, url, query, server, path, realPath, files = [], notKept = [] } = approval;
  const lines: string[] = [];
  if (approval.task) lines.push(visible(askedByText(t, approval.task)));
  const dangers = dangersText(t, approval);
  if (dangers !== "") lines.push(t("Warning: {0}", dangers));
  if (command !== undefined) lines.push(fenced(visible(command)));
  if (cwd !== undefined) lines.push(`(${visible(cwd)})`);
  const place = approvedPlaceText(t, approval);
  if (place !== undefined) lines.push(place);
  for (const each of [query, url, server?.resource]) if (each !== undefined) lines.push(visible(each));
  if (server) lines.push(...serverLines(server));
  if (path !== undefined && files.length === 0 && diffs.length === 0) lines.push(visible(path));
  lines.push(...files.map((file) => fileLine(t, file)));
  if (realPath !== undefined) lines.push(`-> ${visible(realPath)}`);
  lines.push(...encodingTexts(t, approval).map((each) => `${t("Encoding")}: ${visible(each)}`));
  lines.push(...notKept.map((each) => visible(notKeptText(t, each))));
  lines.push(...coverageTexts(t, approval).map(visible));
  const reason = reasonText(t, approval.reason);
  if (reason !== "") lines.push(`${t("Reason")}: ${visible(reason)}`);
  const isInDiffs = ({ path: named }: ChangedFile) =>
    diffs.some((diff) => diff.path === resolve(root, named));
  // The text of a change of several files repeats the diffs, unless it has more than these.
  const repeats = files.length > 0 && files.every(isInDiffs);
  if (approval.text !== undefined && !repeats) lines.push(visible(approval.text));
  return lines;
}

function fileLine(t: Translate, file: ChangedFile): string {
  const to = file.to === undefined ? "" : ` -> ${file.to}`;
  return visible(`${fileChangeText(t, file)} ${file.path}${to} +${file.added} -${file.removed}`);
}

/** The tool of an MCP server and its arguments, as the server describes them. */
function serverLines({
  name,
  tool,
  arguments: input,
  title,
  description,
}: NonNullable<ApprovalView["server"]>): string[] {
  const call = [name, tool].filter((each) => each !== undefined).join(" / ");
  const words = [title, description].filter((each) => each !== undefined && each !== "");
  return [
    visible(call),
    ...(input === undefined ? [] : [fenced(visible(input))]),
    ...words.map((each = "") => visible(each)),
  ];
}

/** A Markdown code block that the text cannot end. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text.replace(/\n$/, "")}\n${fence}`;
}
