import { type Reason, reasonOf } from "../../../shared/reason.ts";
import { type OptionTable, ofProgram, type ReadOptions, readProgramOptions } from "./option-tables.ts";
import type { Profile, ProgramCall } from "./profile.ts";

/** Judges a program by its option table, and by its operands if those can be written to. */
function tabled(
  table: OptionTable,
  operands?: (read: ReadOptions) => Reason | undefined,
  files?: Profile["files"],
): Profile {
  return {
    judge({ name, words }) {
      const read = readProgramOptions(words, table);
      if ("fault" in read) return ofProgram(name, read.fault);
      return operands?.(read);
    },
    ...(files ? { files } : {}),
  };
}

const atMost = (count: number, why: Reason) => (read: ReadOptions) =>
  read.positionals.length + read.rest.length > count ? why : undefined;

/** xxd, and uniq on some systems, stop reading options at the first operand: an option after it is a second operand. */
const oneAtTheEnd = (why: Reason) => (read: ReadOptions) => {
  const first = read.parts.findIndex(({ names }) => names.length === 0);
  return first >= 0 && first < read.parts.length - 1 ? why : atMost(1, why)(read);
};

export const sort = tabled({
  short: "bdfgiMhnRrVcCmsuz",
  valued: "kt",
  long: "ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort human-numeric-sort numeric-sort random-sort reverse sort version-sort check debug merge stable unique zero-terminated help version",
  longValued: "key field-separator parallel buffer-size batch-size",
});

/** uniq writes to its second operand. */
export const uniq = tabled(
  {
    short: "cduizD",
    valued: "fsw",
    long: "count repeated all-repeated group ignore-case unique zero-terminated",
    longValued: "skip-fields skip-chars check-chars",
  },
  oneAtTheEnd(reasonOf("writes-file")),
);

export const tree = tabled(
  {
    short: "adlfxqpsughDFQNvtUrcSACniXJ",
    valued: "LPI",
    long: "noreport dirsfirst filesfirst gitignore prune matchdirs ignore-case inodes device metafirst si du nolinks version help",
    longValued: "sort filelimit charset timefmt",
  },
  undefined,
  // It opens the given file to read what is ignored.
  ({ words }) => (words.some(({ text }) => /^--gitignore/.test(text)) ? words : []),
);

/** Without operands, date can only show, not set. */
export const date = tabled(
  {
    short: "uR",
    attached: "I",
    valued: "d",
    long: "utc universal iso-8601 rfc-3339 rfc-email",
    longValued: "date",
  },
  (read) =>
    read.positionals.every((word) => word.text.startsWith("+")) && read.rest.length === 0
      ? undefined
      : reasonOf("changes-computer"),
  () => [],
);

export const hostname = tabled(
  { short: "sfdiIA", long: "short fqdn long domain ip-address" },
  atMost(0, reasonOf("changes-computer")),
);

/** Accepts only listing a local archive. */
export const tar: Profile = {
  judge({ words }) {
    const [first, ...rest] = words;
    const mode = first?.text ?? "";
    if (!/^(?:-?[tvzjJ]*t[tvzjJ]*f?|--list)$/.test(mode)) return reasonOf("archive");
    if (rest.some((word) => /^-/.test(word.text) && !/^(?:-v|-f|--verbose|--file=[^:]*)$/.test(word.text)))
      return reasonOf("options-of-program", "tar");
    if (rest.some((word) => word.glob !== undefined)) return reasonOf("archive");
    return rest.some((word) => word.text.includes(":")) ? reasonOf("path-on-another-machine") : undefined;
  },
};

export const RG: OptionTable = {
  short: "abcFHhIiLlNnopqSsUuvVwx0.P",
  valued: "ABCEMTdefgjmrt",
  long: "after-context auto-hybrid-regex no-auto-hybrid-regex binary no-binary block-buffered no-block-buffered byte-offset case-sensitive column no-column count count-matches crlf no-crlf debug trace files files-with-matches files-without-match fixed-strings no-fixed-strings follow no-follow glob-case-insensitive heading no-heading help hidden no-hidden ignore-case no-ignore no-ignore-dot no-ignore-exclude no-ignore-files no-ignore-global no-ignore-messages no-ignore-parent no-ignore-vcs ignore include-zero invert-match no-invert-match json no-json line-buffered line-number no-line-number line-regexp max-columns-preview no-max-columns-preview mmap no-mmap multiline no-multiline multiline-dotall null null-data one-file-system no-one-file-system only-matching passthru pcre2 no-pcre2 pcre2-version pretty quiet require-git no-require-git smart-case stats no-stats stop-on-nonmatch text no-text trim no-trim type-list unicode no-unicode unrestricted version vimgrep with-filename no-filename word-regexp messages no-messages no-config no-context-separator",
  longValued:
    "after-context before-context color colors context context-separator dfa-size-limit encoding engine field-context-separator field-match-separator file glob iglob max-columns max-count max-depth max-filesize path-separator regex-size-limit regexp replace sort sortr threads type type-add type-clear type-not ignore-file hyperlink-format",
};

/** rg: accepts searching; --pre, --hostname-bin and --search-zip run programs. */
export const rg: Profile = {
  judge({ words }) {
    const read = readProgramOptions(words, RG);
    return "fault" in read ? ofProgram("rg", read.fault) : undefined;
  },
  files: (call) => withoutPattern(call, RG),
};

export const GREP: OptionTable = {
  // Digits, alone or among letters, are lines of context.
  short: "EFGPivwxycLloqsbHhnTZaIrRUzu0123456789",
  valued: "efmABCdD",
  long: "extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case invert-match word-regexp line-regexp count color colour files-without-match files-with-matches only-matching quiet silent no-messages byte-offset with-filename no-filename line-number initial-tab null text recursive dereference-recursive line-buffered binary null-data unix-byte-offsets help version",
  longValued:
    "regexp file max-count after-context before-context context label binary-files devices directories exclude exclude-from exclude-dir include",
};

/** grep: none of its options writes or runs anything. Its pattern is not a file. */
export const grep: Profile = { judge: () => undefined, files: (call) => withoutPattern(call, GREP) };

/** Returns the words without the pattern, if it is certain which one that is, and without what is excluded. */
function withoutPattern({ words }: ProgramCall, table: OptionTable) {
  const read = readProgramOptions(words, table);
  if ("fault" in read) return words;
  const named = read.options.some(({ name }) => /^(?:-e|-f|--regexp|--file|--files|--type-list)$/.test(name));
  const pattern = named ? undefined : [...read.positionals, ...read.rest][0];
  return words.filter((word) => word !== pattern && !/^--(?:exclude|exclude-dir|regexp)=/.test(word.text));
}

/** A program that only reads the files among its words, except for these options and words. */
const butFor = (odd: RegExp, files?: Profile["files"]): Profile => ({
  judge({ name, words }) {
    const found = words.find(({ text }) => odd.test(text));
    return found && reasonOf("option-of-program", name, found.text);
  },
  ...(files ? { files } : {}),
});

/** A list of checksums names the files to read. Some of these programs also have digits as options. */
export const sums = butFor(/^-(?!-).*c|^--c/);

/** wc can read file names from a file. */
export const wc = butFor(/^--f/);

const DU: OptionTable = {
  short: "0abcDhHkLlmPsSx",
  valued: "Bdt",
  long: "null all apparent-size bytes total dereference-args human-readable inodes dereference count-links no-dereference separate-dirs si summarize time one-file-system help version",
  longValued: "block-size max-depth threshold time-style exclude",
};

/** du can do so too, and can read its exclusions from a file: any option that is not in the table may be that one. */
export const du = butFor(/^--f/, ({ words }) => ("fault" in readProgramOptions(words, DU) ? words : []));

/** diff without -l and --paginate, which start pr. */
export const DIFF: OptionTable = {
  short: "ibwBaupcqenylrNsdhHPtTEZ0123456789",
  valued: "UCIFLWXxSD",
  long: "normal brief report-identical-files context unified ed rcs side-by-side left-column suppress-common-lines show-c-function expand-tabs initial-tab suppress-blank-empty recursive no-dereference new-file unidirectional-new-file ignore-file-name-case no-ignore-file-name-case ignore-case ignore-tab-expansion ignore-trailing-space ignore-space-change ignore-all-space ignore-blank-lines text strip-trailing-cr minimal speed-large-files color help version",
  longValued:
    "label show-function-line width tabsize exclude exclude-from starting-file from-file to-file ignore-matching-lines ifdef line-format old-line-format new-line-format unchanged-line-format old-group-format new-group-format unchanged-group-format changed-group-format horizon-lines palette",
};

/** diff starts pr to paginate. */
export const diff = butFor(/^-(?!-).*l|^--pa/);

/** strings, like all of binutils, reads options and names from a file. */
export const strings = butFor(/^@/);

/** ps: without a dash, `e` shows the environment of processes, as -E does. */
export const psProfile: Profile = {
  judge({ words }) {
    const odd = words.find(({ text }, i) => {
      if (text.startsWith("--")) return !/^--(?:sort=[\w,+-]+|no-headers?|forest|help|version)$/.test(text);
      if (text.startsWith("-")) return !/^-[aAdefFlwxujTHLNopgGtU]+$/.test(text);
      if (/^-[A-Za-z]*[opgGtUu]$/.test(words[i - 1]?.text ?? "")) return /env/i.test(text);
      return !/^(?:[auxwflj]+|\d[\d,]*)$/.test(text);
    });
    return odd && reasonOf("option-of-program", "ps", odd.text);
  },
  files: () => [],
};

/** command -v NAME shows where a program is. */
export const commandV: Profile = {
  judge: ({ words }) =>
    /^-[vV]$/.test(words[0]?.text ?? "") ? undefined : reasonOf("runs-commands", "command"),
  files: () => [],
};

/** tee writes to its operands; without any, it only passes its input on. */
export const tee: Profile = {
  judge: ({ words }) =>
    words.every((word) => word.literal && word.text === "/dev/null") ? undefined : reasonOf("writes-file"),
};

export const dd: Profile = {
  judge: ({ words }) =>
    words.some((word) => /^of=/.test(word.text) || !word.literal) ? reasonOf("writes-file") : undefined,
};

const CURL: OptionTable = {
  short: "sSfLIivk46",
  valued: "mH",
  long: "silent show-error fail location head include verbose compressed http1.1 http2",
  longValued: "max-time connect-timeout retry header",
};

/** curl: accepts fetching to standard output over http; nothing is read from or written to files, or sent. */
export const curl: Profile = {
  judge({ words }) {
    const read = readProgramOptions(words, CURL);
    if ("fault" in read) return ofProgram("curl", read.fault);
    const odd = [...read.positionals, ...read.rest].find(
      (word) => !word.literal || !/^(?:https?:\/\/)?[\w.-]+(?::\d+)?(?:[/?]|$)/.test(word.text),
    );
    if (read.options.some((option) => option.value?.startsWith("@"))) return reasonOf("takes-from-file");
    return odd ? reasonOf("not-a-plain-address", odd.text) : undefined;
  },
};

export const wget = tabled({ short: "qS", long: "quiet spider server-response version help" }, (read) =>
  read.options.some((option) => option.name === "--spider") ? undefined : reasonOf("writes-file"),
);

const plainXxd = tabled({ short: "abeEiprud", valued: "cglos" }, oneAtTheEnd(reasonOf("writes-file")));

/** xxd writes to its second operand. It examines only the first letter of an option: `-ps` takes no value. */
export const xxd: Profile = {
  judge(call) {
    const joined = call.words.find(({ text }) => /^-[A-Za-z]{2}/.test(text));
    return joined ? reasonOf("option-of-program", "xxd", joined.text) : plainXxd.judge(call);
  },
};

export const base64Profile = tabled({
  short: "dD",
  valued: "w",
  long: "decode ignore-garbage",
  longValued: "wrap",
});

/** man: accepts a page by name. */
export const man = tabled({ short: "kfw" }, (read) =>
  [...read.positionals, ...read.rest].some(({ text }) => text.includes("/"))
    ? reasonOf("takes-from-file")
    : undefined,
);
