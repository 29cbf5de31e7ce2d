/** jq and yq: filters that see their input alone. */
import { reasonOf } from "../../../shared/reason.ts";
import type { Word } from "../shells/shell-words.ts";
import { type OptionTable, ofProgram, type ReadOptions, readOptions } from "./option-tables.ts";
import type { Profile, ProgramCall } from "./profile.ts";

const JQ: OptionTable = {
  short: "cnrjaSsReCM",
  long: "compact-output null-input raw-output join-output ascii-output sort-keys slurp raw-input exit-status color-output monochrome-output tab seq stream",
};

/** jq: filters without the environment and without modules. */
export const jq: Profile = {
  judge({ words }) {
    const read = readOptions(words, JQ);
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

/** yq, of either kind: filters without the environment and without other files. */
export const yq: Profile = {
  judge({ words }) {
    const read = readOptions(words, YQ);
    if ("fault" in read) return ofProgram("yq", read.fault);
    // Which of these is the filter differs from one yq to the other.
    const filters = operands(read).slice(0, 2);
    if (filters.some(({ literal }) => !literal)) return reasonOf("missing-argument", "jq");
    return filters.some(({ text }) => seesMore(text, YQ_MORE)) ? reasonOf("filter-reads-more") : undefined;
  },
  files(call: ProgramCall): Word[] {
    const read = readOptions(call.words, YQ);
    if ("fault" in read) return call.words;
    const [first, second, ...more] = operands(read);
    if (!first) return [];
    const verb = YQ_VERB.test(first.text);
    // A filter that is the name of a file may be taken for it, a field before a file may not.
    const isFilter = ({ text }: Word, last: boolean) =>
      !/^[\w./~-]+$/.test(text) || (!last && /^(?:\.[A-Za-z_]\w*)+$/.test(text));
    const files = second && !(verb && isFilter(second, more.length === 0)) ? [second, ...more] : more;
    return isFilter(first, !second) ? files : [first, ...files];
  },
};

function operands(read: ReadOptions): Word[] {
  return [...read.positionals, ...read.rest];
}

/** Whether the code of a filter has one of these words; fields such as `.env` are the input's own. */
function seesMore(filter: string, words: RegExp): boolean {
  return words.test((codeOf(filter) ?? filter).replace(/(?<!\.)\.[A-Za-z_]\w*/g, ""));
}

/**
 * A filter without its comments and the text of its strings; what a string interpolates, `\(...)`, is code. Undefined
 * where the end of a string or of a comment is not certain.
 */
function codeOf(filter: string): string | undefined {
  let code = "";
  /** For each interpolation around this place, how many parentheses are open in it. */
  const open: number[] = [];
  let inString = false;
  for (let at = 0; at < filter.length; at++) {
    const c = filter.charAt(at);
    if (inString) {
      if (c === "\\") {
        if (filter.charAt(++at) !== "(") continue;
        code += "(";
        open.push(0);
        inString = false;
      } else if (c === '"') {
        code += '"';
        inString = false;
      }
      continue;
    }
    const depth = open.at(-1);
    if (c === "#") return undefined;
    if (c === '"') inString = true;
    else if (c === "(" && depth !== undefined) open[open.length - 1] = depth + 1;
    else if (c === ")" && depth === 0) {
      open.pop();
      inString = true;
    } else if (c === ")" && depth !== undefined) open[open.length - 1] = depth - 1;
    code += c;
  }
  return inString || open.length > 0 ? undefined : code;
}
