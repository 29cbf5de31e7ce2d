/** Random patches with random slips: what is applied is what the patch means, line by line, or nothing is. */
import { applyPatch } from "../../../../src/core/edits/patch/patch.ts";
import type { Random } from "../../../support/random.ts";
import { type Intent, meant, type Row } from "./edits-model.ts";
import { kept } from "./miscopies.ts";
import { hunkLines, PATCHED, patchText } from "./patch-kinds.ts";

const ENDS = [
  "*** End Patch",
  "*** End Patch</input>",
  "  *** End Patch",
  "*** end patch",
  "*** End of File\n*** End Patch",
  "",
  "```",
  "</diff>",
  "+*** End Patch",
  "+```",
  "+</input>",
  "+++++++ REPLACE",
  "EOF",
  "This adds the missing check.",
];
const UPDATES = [
  `*** Update File: ${PATCHED}`,
  ` *** Update File: ${PATCHED} `,
  `***  Update File:${PATCHED}`,
  `\t*** update file:  ${PATCHED}`,
];

/** A file of nested blocks, each line once, indented by one step a level. */
function madeFile(random: Random): Row[] {
  const step = random.pick(["  ", "    ", "\t"]);
  const rows: Row[] = [];
  let depth = 0;
  for (let at = 0; at < 24; at++) {
    const text = random.chance(0.1) ? "" : `${step.repeat(depth)}line${at}(${random.int(1, 99)});`;
    rows.push({ text, end: "\n" });
    depth = Math.max(0, depth + random.int(-1, 1));
  }
  return rows;
}

/** One patch of one hunk. Throws where something else is written than its lines say. */
export function patchRound(random: Random): "applied" | "refused" {
  const rows = madeFile(random);
  const start = random.int(0, 12);
  const intent: Intent = kept(start, random.int(2, 8));
  for (const [k, step] of intent.steps.entries()) {
    const text = rows[start + k]?.text ?? "";
    if (random.chance(0.25) && text !== "") step.keep = false;
    if (random.chance(0.05)) step.put.push("");
    if (random.chance(0.3)) step.put.push(text.replace("line", `new${random.int(100, 999)}`) || "x");
  }
  // How often a line of context lacks its space, and whether a space too many stands before it.
  const bare = random.pick([0, 0, 0.5, 1]);
  const more = random.chance(0.15) ? " " : "";
  const write = (sign: string, text: string) => {
    if (sign !== " ") return sign + text;
    const own = text === "" ? "" : more + text;
    return random.chance(bare) ? own : ` ${own}`;
  };
  const lines = hunkLines(rows, intent, write, random);
  const diff = patchText(lines, {
    update: random.pick(UPDATES),
    hunk: random.pick(["@@", "@@ ", "@@\n\n@@"]),
    end: random.chance(0.5) ? "*** End Patch" : random.pick(ENDS),
  });
  const original = rows.map((row) => row.text + row.end).join("");
  const result = applyPatch(diff, (path) => (path === PATCHED ? original : undefined));
  if (!result.ok) return "refused";
  const [change] = result.changes;
  const got = change?.kind === "update" ? change.content : JSON.stringify(result.changes);
  if (got !== meant(rows, [intent]))
    throw new Error(
      `patch ${JSON.stringify(diff)} onto ${JSON.stringify(original)} gave ${JSON.stringify(got)}`,
    );
  return "applied";
}
