/** jq and yq: accepts filters that read only their input. */
import { reasonOf } from "../../../shared/reason.ts";
import type { Word } from "../shells/shell-words.ts";
import { type OptionTable, ofProgram, type ReadOptions, readProgramOptions } from "./option-tables.ts";
import type { Profile, ProgramCall } from "./profile.ts";

const JQ: OptionTable = {
  short: "cnrjaSsReCM",
  long: "compact-output null-input raw-output join-output ascii-output sort-keys slurp raw-input exit-status color-output monochrome-output tab seq stream",
};

/** jq: accepts filters without the environment and without modules. */
export const jq: Profile = {
  judge({ words }) {
    const read = readProgramOptions(words, JQ);
    if ("fault" in read) return ofProgram("jq", read.fault);
    const filter = operands(read).at(0);
    if (!filter?.literal) return reasonOf("missing-argument", "jq");
    return seesMore(filter.text, MORE_THAN_INPUT) ? reasonOf("filter-reads-more") : undefined;
  },
  files: ({ words }) => words.filter((_, i) => i !== words.findIndex(({ text }) => !text.startsWith("-"))),
};

const MORE_THAN_INPUT =
  /\b(?:env|ENV|import|include|input_filename|get_search_list|debug|stderr|getenv|load|system)\b/;

const YQ: OptionTable = {
  short: "rPMCNjne0v",
  valued: "opI",
  long: "null-input raw-output unwrapScalar prettyPrint no-colors colors no-doc exit-status nul-output tojson verbose",
  longValued: "output-format input-format indent",
};

const YQ_VERB = /^(?:e|ea|eval|eval-all)$/;
const YQ_MORE =
  /\b(?:env|ENV|load\w*|strenv|envsubst|system|eval|import|include|filename|input_filename|split_doc)\b/;

/** yq, in both variants: accepts filters without the environment and without other files. */
export const yq: Profile = {
  judge({ words }) {
    const read = readProgramOptions(words, YQ);
    if ("fault" in read) return ofProgram("yq", read.fault);
    // The position of the filter differs between the two variants of yq.
    const filters = operands(read).slice(0, 2);
    if (filters.some(({ literal }) => !literal)) return reasonOf("missing-argument", "jq");
    return filters.some(({ text }) => seesMore(text, YQ_MORE)) ? reasonOf("filter-reads-more") : undefined;
  },
  files(call: ProgramCall): Word[] {
    const read = readProgramOptions(call.words, YQ);
    if ("fault" in read) return call.words;
    const [first, second, ...more] = operands(read);
    if (!first) return [];
    const verb = YQ_VERB.test(first.text);
    // A filter that is a file name may be read as a file; a field before a file cannot.
    const isFilter = ({ text }: Word, last: boolean) =>
      !/^[\w./~-]+$/.test(text) || (!last && /^(?:\.[A-Za-z_]\w*)+$/.test(text));
    const files = second && !(verb && isFilter(second, more.length === 0)) ? [second, ...more] : more;
    return isFilter(first, !second) ? files : [first, ...files];
  },
};

function operands(read: ReadOptions): Word[] {
  return [...read.positionals, ...read.rest];
}

/** Whether the code of a filter contains one of these words. Fields such as `.env` belong to the input. */
function seesMore(filter: string, words: RegExp): boolean {
  return words.test((codeOf(filter) ?? filter).replace(/(?<!\.)\.[A-Za-z_]\w*/g, ""));
}

/**
 * Removes comments and the text of strings from a filter; what a string interpolates, `\(...)`, is code. undefined if
 * the end of a string or comment is uncertain.
 */
function codeOf(filter: string): string | undefined {
  let code = "";
  /** The number of open parentheses in each enclosing interpolation. */
  const open: number[] = [];
  for (let at = 0; at < filter.length; at++) {
    const c = filter.charAt(at);
    if (c === "#") return undefined;
    code += c;
    const depth = open.at(-1);
    if (c === "(" && depth !== undefined) open[open.length - 1] = depth + 1;
    if (c === ")" && depth) open[open.length - 1] = depth - 1;
    const endsInterpolation = c === ")" && depth === 0;
    if (endsInterpolation) open.pop();
    if (c !== '"' && !endsInterpolation) continue;
    const text = STRING_TEXT.exec(filter.slice(at + 1));
    if (!text) return undefined;
    at += text[0].length;
    if (text[1] !== '"') open.push(0);
    code += filter.charAt(at);
  }
  return open.length > 0 ? undefined : code;
}

/** The text of a string up to its end, or to the parenthesis of an interpolation. */
const STRING_TEXT = /^(?:[^"\\]|\\[^(])*("|\\\()/;
