/** The message with the user's comments on lines of a plan. */
import { planComments } from "../../prompts/replies.ts";
import type { PlanComment } from "../../sessions/plan-documents.ts";
import { visibleName } from "../../text.ts";

/** Characters of a quoted line. */
const MAX_QUOTE = 300;

/** Quotes each commented line with its number. `plan`: the text in which the lines are counted. */
export function planCommentsMessage(title: string, plan: string, comments: readonly PlanComment[]): string {
  const lines = plan.split(/\r?\n/);
  const placed = comments
    .map(({ line, quote, text }) => {
      const at = lineOf(lines, quote, line);
      return { line: at + 1, quote: visibleName((lines[at] ?? quote).slice(0, MAX_QUOTE)), text };
    })
    .sort((a, b) => a.line - b.line);
  return planComments(title, placed);
}

/** The line with this text that is nearest to where it was; that place itself if the line was changed. */
function lineOf(lines: readonly string[], quote: string, line: number): number {
  let nearest = -1;
  lines.forEach((text, index) => {
    const isNearer = nearest < 0 || Math.abs(index - line) < Math.abs(nearest - line);
    if (text === quote && isNearer) nearest = index;
  });
  return nearest >= 0 ? nearest : Math.min(line, Math.max(0, lines.length - 1));
}
