/** Compares the calls of a replay with those of the session, without what differs from run to run. */
import type { Message, ToolCallBlock, ToolResultBlock } from "../../../shared/message.ts";
import type { NotRunReason, ReplayReport } from "../../../shared/run/replay-report.ts";
import { unifiedDiff } from "../../edits/regions.ts";
import { playedCalls, type ReplayPlan } from "./replay-plan.ts";
import type { Replayed } from "./run-replay.ts";

/** Characters of a diff in the report. */
const DIFF_LENGTH = 4_000;

export interface Compared {
  plan: ReplayPlan;
  replayed: Replayed;
  /** The messages of the replay's session. */
  messages: readonly Message[];
  offered: ReadonlySet<string>;
  /** The project's folder in the session, and that of the replay. */
  roots: readonly string[];
}

type Calls = Pick<ReplayReport, "calls" | "differences" | "notRun">;

export function compareCalls({ plan, replayed, messages, offered, roots }: Compared): Calls {
  const results = new Map<string, ToolResultBlock>();
  for (const { blocks } of messages)
    for (const block of blocks) if (block.type === "tool-result") results.set(block.callId, block);
  const answers = messages.filter(({ role }) => role === "assistant");
  const compared: Calls = { calls: { same: 0, different: 0, notRun: 0 }, differences: [], notRun: [] };
  plan.answers.slice(0, replayed.played).forEach((answer, index) => {
    const playedAgain = answers[index] ? playedCalls(answers[index]) : [];
    let isAfterRejected = false;
    playedCalls(answer).forEach((call, at) => {
      const other = playedAgain[at];
      const [before, after] = [plan.results.get(call.id), other && results.get(other.id)];
      const label = before?.label ?? after?.label ?? call.name;
      const place = { answer: index + 1, call: at + 1, tool: call.name, label };
      const why = notRunReason(call, before, after, { replayed, offered, isAfterRejected });
      isAfterRejected ||= replayed.rejected.has(call.id);
      if (why) {
        compared.calls.notRun++;
        compared.notRun.push({ ...place, why });
        return;
      }
      const diff = unifiedDiff(textOf(before, roots), textOf(after, roots)).slice(0, DIFF_LENGTH);
      if (before?.outcome === after?.outcome && diff === "") {
        compared.calls.same++;
        return;
      }
      compared.calls.different++;
      const outcomes = { recorded: before?.outcome ?? null, replayed: after?.outcome ?? null };
      compared.differences.push({ ...place, ...outcomes, diff });
    });
  });
  return compared;
}

function notRunReason(
  call: ToolCallBlock,
  before: ToolResultBlock | undefined,
  after: ToolResultBlock | undefined,
  {
    replayed,
    offered,
    isAfterRejected,
  }: Pick<Compared, "replayed" | "offered"> & { isAfterRejected: boolean },
): NotRunReason | undefined {
  if (replayed.withheld.has(call.id)) return "permission";
  if (isAfterRejected && after?.outcome === "not-run") return "after-not-run";
  const isUnknown = after?.outcome === "failed" && before?.outcome !== "failed" && !offered.has(call.name);
  return isUnknown ? "not-available" : undefined;
}

/** The text that the model received, with neutral names for folders, times and terminals. */
function textOf(result: ToolResultBlock | undefined, roots: readonly string[]): string {
  if (!result) return "";
  const parts = result.parts.map((part) =>
    part.type === "text"
      ? part.text
      : `[${part.mimeType}: ${part.data.length} characters of Base64]\n${part.data}`,
  );
  const plain = roots.reduce((text, root) => text.replaceAll(root, "<project>"), parts.join("\n"));
  return result.shown?.durationMs === undefined ? plain : withoutTimes(plain);
}

function withoutTimes(output: string): string {
  return output
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?/g, "<time>")
    .replace(
      /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? (?:[A-Z][a-z]{2} +\d{1,2}|\d{1,2} [A-Z][a-z]{2})\b/g,
      "<date>",
    )
    .replace(/\b\d\d:\d\d:\d\d(?:\.\d+)?\b/g, "<time>")
    .replace(/\b\d+(?:\.\d+)?\s?(?:ns|us|µs|ms|s|seconds?|milliseconds?)\b/g, "<duration>")
    .replace(/(?<=in the background as terminal )[\w-]+/g, "<terminal>");
}
