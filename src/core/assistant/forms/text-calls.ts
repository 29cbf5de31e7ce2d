/**
 * Finds calls that a complete answer contains as text, in one of the forms of `call-forms.ts`. They are calls if they end the
 * answer, outside code, and the arguments fit the tool. Anything else in such a form is an attempt, and the model is told so.
 */
import { type FoldedBlock, type FoldedCall, TextBuilder, type ToolSyntax } from "../events.ts";
import { CodeTracker } from "../markdown.ts";
import { type TagTable, tagTableOf } from "../xml/tags.ts";
import type { WholeCall } from "../xml/whole-call.ts";
import { CALL_FORMS, CALL_LIKE, CALL_STARTS, CALL_TAIL, type CallForm } from "./call-forms.ts";
import { after, type ReadCalls, readForm } from "./read-calls.ts";

const MAX_LENGTH = 1_000_000;
/** Maximum number of places in a text that are examined, and of those from which the text is read to its end. */
const MAX_STARTS = 1_000;
const MAX_TRIES = 20;

/** A place outside code where a form may begin. */
interface Start {
  at: number;
  isFence: boolean;
  /** Only white space precedes it on its line. */
  leads: boolean;
}

/**
 * Returns the blocks with the calls that end the last text; the same list if there are none. `isQuoted`: whether the model
 * received this text before, so that it may only be quoting it.
 */
export function withTextCalls(
  blocks: readonly FoldedBlock[],
  tools: readonly ToolSyntax[],
  isQuoted: (text: string) => boolean,
): readonly FoldedBlock[] {
  const last = blocks.at(-1);
  if (last?.type !== "text") return blocks;
  const text = last.text.toString();
  const isAlone = blocks.every((block) => block === last || block.type === "reasoning");
  const found = text.length > MAX_LENGTH ? undefined : callsAtEnd(text, isAlone, tagTableOf(tools));
  if (found === undefined || isQuoted(text.slice(found.at, found.end).trim())) return blocks;
  const before = text.slice(0, found.at).trimEnd();
  const prose = before === "" ? [] : [{ type: "text" as const, text: built(before) }];
  return [...blocks.slice(0, -1), ...prose, ...found.calls.map(folded)];
}

/** Returns the position of the first text outside code that looks like one of the forms; -1 if there is none. */
export function formIn(text: string): number {
  const start = startsIn(text).find(
    ({ at, leads, isFence }) =>
      !isFence &&
      (after(CALL_LIKE, text, at) !== undefined ||
        CALL_FORMS.some(
          ({ place, open }) =>
            place !== "message" && (leads || place === "token") && after(open, text, at) !== undefined,
        )),
  );
  return start?.at ?? -1;
}

interface FoundCalls extends ReadCalls {
  at: number;
}

function callsAtEnd(text: string, isAlone: boolean, tags: TagTable): FoundCalls | undefined {
  let tries = 0;
  for (const start of startsIn(text)) {
    for (const form of CALL_FORMS) {
      if (!mayBegin(form, start) || after(form.open, text, start.at) === undefined) continue;
      const found = readEnd(text, start.at, form, tags);
      if (found !== undefined || ++tries >= MAX_TRIES) return found;
    }
  }
  const first = text.search(/\S/);
  if (!isAlone || first < 0) return undefined;
  for (const form of CALL_FORMS) {
    const found = form.place === "message" ? readEnd(text, first, form, tags) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function mayBegin({ place }: CallForm, { isFence, leads }: Start): boolean {
  if (isFence) return place === "fence";
  return place === "token" || (place === "line" && leads);
}

/** Returns the calls of the form at `at`, if nothing follows them and each can run. */
function readEnd(text: string, at: number, form: CallForm, tags: TagTable): FoundCalls | undefined {
  const read = readForm(text, at, form, tags);
  if (read === undefined || after(CALL_TAIL, text, read.end) === undefined) return undefined;
  const fit = read.calls.every(({ name, params }) => tags.find(name)?.fits(Object.fromEntries(params)));
  return fit ? { ...read, at } : undefined;
}

/** Returns the places that begin a line or follow the end of a sentence. */
function startsIn(text: string): Start[] {
  const places = new Set<number>();
  let marked = "";
  let copied = 0;
  for (const { index, 0: found } of text.matchAll(CALL_STARTS)) {
    if (places.size >= MAX_STARTS) break;
    places.add(index);
    if (found.startsWith("`")) continue;
    // The tracker stops at the first character of elements.
    marked += `${text.slice(copied, index)}<`;
    copied = index + 1;
  }
  if (places.size === 0) return [];
  marked += text.slice(copied);
  const code = new CodeTracker();
  const starts: Start[] = [];
  for (let at = code.scan(marked, 0, true); code.stop !== "end"; at = code.scan(marked, at, true)) {
    if (code.stop === "tag") {
      code.passTag();
      const leads = isBlank(text, at);
      if (places.has(at) && (leads || endsSentence(text, at))) starts.push({ at, isFence: false, leads });
      at++;
    } else if (code.stop === "fence") {
      const from = at - code.fenceLength;
      if (places.has(from)) starts.push({ at: from, isFence: true, leads: true });
    }
  }
  return starts;
}

function isBlank(text: string, at: number): boolean {
  return /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, at - 200), at));
}

function endsSentence(text: string, at: number): boolean {
  return /[.!?…。！？>][ \t]*$/.test(text.slice(Math.max(0, at - 200), at));
}

function folded({ name, params }: WholeCall): FoldedCall {
  return {
    type: "tool",
    name,
    params: new Map(params.map(([key, value]) => [key, built(value)])),
    partial: false,
  };
}

function built(text: string): TextBuilder {
  const builder = new TextBuilder();
  builder.append(text);
  return builder;
}
