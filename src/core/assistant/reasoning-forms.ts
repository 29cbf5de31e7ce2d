/**
 * Finds reasoning in a complete answer that only its end makes certain: its opening tag is missing because the model's
 * template contains it, or it is in the form of another family of models. Its content is neither text nor calls.
 */
import { type FoldedBlock, paramsOf, TextBuilder } from "./events.ts";
import { CodeTracker } from "./markdown.ts";

interface Form {
  /** Both are sticky. */
  open: RegExp;
  close: RegExp;
  /** Opens anywhere on a line. */
  opensAnywhere: boolean;
  /** Tokens of a template, which no prose contains. */
  isToken: boolean;
  /** The closing mark alone ends reasoning that began with the answer. */
  endsAlone: boolean;
}

const THINK = ["think", "thinking"];
const ELEMENTS = [...THINK, "thought", "reasoning", "seed:think", "antthinking", "longcat_think"];

function element(name: string): Form {
  return {
    open: new RegExp(`<${name}>`, "iy"),
    close: new RegExp(`</${name}>`, "iy"),
    opensAnywhere: THINK.includes(name),
    isToken: false,
    endsAlone: true,
  };
}

function tokens(open: RegExp, close: RegExp): Form {
  return { open, close, opensAnywhere: true, isToken: true, endsAlone: true };
}

const FORMS: readonly Form[] = [
  ...ELEMENTS.map(element),
  { ...tokens(/\[THINK\]/y, /\[\/THINK\]/y), opensAnywhere: false, isToken: false },
  tokens(/◁think▷/y, /◁\/think▷/y),
  tokens(/<\|channel>thought\b/y, /<channel\|>/y),
  tokens(/<\|begin_of_thought\|>/y, /<\|end_of_thought\|>/y),
  tokens(/<\|START_THINKING\|>/y, /<\|END_THINKING\|>/y),
  {
    ...tokens(
      /(?:<\|start\|>assistant)?<\|channel\|>\s*analysis\s*<\|message\|>/y,
      /(?=<\|(?:end|start|channel|return)\|>)(?:<\|(?:end|return)\|>)?\s*(?:<\|start\|>assistant)?(?:<\|channel\|>\s*final\s*<\|message\|>)?/y,
    ),
    endsAlone: false,
  },
];

interface Mark {
  form: Form;
  opens: boolean;
  /** The index of its block, and its range there. */
  block: number;
  at: number;
  end: number;
  /** Only white space precedes it on its line. */
  leads: boolean;
  /** It follows a sentence, or nothing follows it on its line. */
  ends: boolean;
}

interface BlockPosition {
  block: number;
  at: number;
}

/** A range of reasoning, and where what follows it begins. */
interface Range {
  from: BlockPosition;
  to: BlockPosition;
  after: BlockPosition;
}

/**
 * Returns the blocks with such reasoning in blocks of its own; the same list if there is none. Calls that the endpoint parsed
 * itself remain calls.
 */
export function withReasoning(blocks: readonly FoldedBlock[]): readonly FoldedBlock[] {
  const marks = blocks.flatMap((block, index) =>
    block.type === "text" ? marksIn(block.text.toString(), index) : [],
  );
  const ranges = rangesOf(marks, blocks);
  return ranges.length === 0 ? blocks : divided(blocks, ranges);
}

/** Returns what a text says besides reasoning in any form. */
export function withoutReasoning(answer: string): string {
  const text = new TextBuilder();
  text.append(answer);
  return withReasoning([{ type: "text", text }])
    .map((block) => (block.type === "text" ? block.text.toString() : ""))
    .join("");
}

function marksIn(text: string, block: number): Mark[] {
  if (!/[<[◁]/.test(text)) return [];
  // The tracker stops at the first character of elements.
  const marked = text.replace(/[[◁]/g, "<");
  const code = new CodeTracker();
  const marks: Mark[] = [];
  let past = 0;
  for (let at = code.scan(marked, 0); at < text.length; at = code.scan(marked, at + 1)) {
    code.passTag();
    if (at < past) continue;
    const mark = markAt(text, at, block);
    if (mark === undefined) continue;
    marks.push(mark);
    past = mark.end;
  }
  return marks;
}

function markAt(text: string, at: number, block: number): Mark | undefined {
  for (const form of FORMS) {
    for (const opens of [true, false]) {
      const pattern = opens ? form.open : form.close;
      pattern.lastIndex = at;
      const [mark] = pattern.exec(text) ?? [];
      if (!mark) continue;
      const end = at + mark.length;
      const leads = text.slice(text.lastIndexOf("\n", at - 1) + 1, at).trim() === "";
      const ends =
        /^[ \t\r]*(?:\n|$)/.test(text.slice(end, end + 200)) ||
        /[.!?…。！？][ \t]*$/.test(text.slice(Math.max(0, at - 200), at));
      return { form, opens, block, at, end, leads, ends };
    }
  }
  return undefined;
}

function rangesOf(marks: readonly Mark[], blocks: readonly FoldedBlock[]): Range[] {
  let ranges: Range[] = [];
  let open: Mark | undefined;
  for (const mark of marks) {
    const { form, opens, block, at, end, leads, ends } = mark;
    const after = { block, at: end };
    if (open !== undefined) {
      if (opens || form !== open.form) continue;
      ranges.push({ from: open, to: { block, at }, after });
      open = undefined;
    } else if (opens) {
      if (leads || form.opensAnywhere) open = mark;
    } else if (form.endsAlone && (leads || ends || form.isToken)) {
      ranges = [{ from: { block: 0, at: 0 }, to: { block, at }, after }];
    }
  }
  if (open !== undefined && (open.form.isToken || beginsAnswer(open, blocks))) {
    const to = { block: blocks.length, at: 0 };
    ranges.push({ from: open, to, after: to });
  }
  return ranges;
}

function beginsAnswer({ block, at }: Mark, blocks: readonly FoldedBlock[]): boolean {
  const said = blocks.slice(0, block).some(({ type }) => type !== "reasoning");
  const own = blocks[block];
  return !said && own?.type === "text" && own.text.toString().slice(0, at).trim() === "";
}

function divided(blocks: readonly FoldedBlock[], ranges: readonly Range[]): FoldedBlock[] {
  const result: FoldedBlock[] = [];
  const opens = FORMS.map(({ open }) => open);
  const add = (type: "text" | "reasoning", text: string) => {
    const last = result.at(-1);
    if (text.trim() === "" && last?.type !== type) return;
    if (last?.type === type && !("signed" in last)) last.text.append(text);
    else {
      const builder = new TextBuilder();
      builder.append(text);
      result.push({ type, text: builder });
    }
  };
  blocks.forEach((block, index) => {
    if (block.type !== "text") {
      const isThought = ranges.some(({ from, to }) => from.block < index && index < to.block);
      const isOwn = block.type === "tool" && block.native === undefined;
      if (isThought && isOwn) add("reasoning", writtenCall(block));
      else result.push(block);
      return;
    }
    const text = block.text.toString();
    let at = 0;
    for (const { from, to, after } of ranges) {
      if (to.block < index || from.block > index) continue;
      const start = from.block < index ? 0 : from.at;
      const end = to.block > index ? text.length : to.at;
      add("text", text.slice(at, start));
      add(
        "reasoning",
        from.block === index ? withoutOpening(text.slice(start, end), opens) : text.slice(start, end),
      );
      at = after.block > index ? text.length : after.at;
      if (after.block === index) at += /^\s*/.exec(text.slice(at))?.[0].length ?? 0;
    }
    add("text", text.slice(at));
  });
  return result;
}

function withoutOpening(text: string, opens: readonly RegExp[]): string {
  for (const open of opens) {
    open.lastIndex = 0;
    const [mark] = open.exec(text) ?? [];
    if (mark !== undefined) return text.slice(mark.length).replace(/^\r?\n/, "");
  }
  return text;
}

/** A call of the text as a model writes it. */
function writtenCall(call: FoldedBlock & { type: "tool" }): string {
  const params = Object.entries(paramsOf(call)).map(([name, value]) => `<${name}>${value}</${name}>\n`);
  return `<${call.name}>\n${params.join("")}</${call.name}>`;
}
