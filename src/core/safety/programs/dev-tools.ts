/**
 * Compilers, test runners and clients of services. Accepts options that select and report; rejects those that write,
 * load or reach other places.
 */
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import type { Word } from "../shells/shell-words.ts";
import { type OptionTable, ofProgram, readProgramOptions } from "./option-tables.ts";
import type { Profile, ProgramCall } from "./profile.ts";
import { notCovered, notShown } from "./runners/ecosystems.ts";
import { tscWrites } from "./tsc.ts";

/** Option tables by subcommand; "" for no subcommand. Other subcommands ask. */
type Subcommands = Readonly<Record<string, OptionTable>>;

function bySubcommand(tables: Subcommands, unknown: Profile): Profile {
  const plain: OptionTable | undefined = tables[""];
  return {
    judge(call: ProgramCall) {
      const { name, words } = call;
      const more = notCovered(call);
      if (more) return more;
      const table = plain ?? tables[words[0]?.text ?? ""];
      // Subcommands without a table are judged like any other program: plain options only.
      if (!table) return notShown(call) ?? unknown.judge(call);
      const behind = plain ? words : words.slice(1);
      const written = readProgramOptions(behind, table);
      // An option that the list entry contains was allowed with it; no other option was.
      const others = behind.filter(({ text }) => text === "--" || !call.entry.slice(1).includes(text));
      const read =
        "fault" in written && !handedMore(words, table) ? readProgramOptions(others, table) : written;
      if ("fault" in read) return ofProgram(name, read.fault);
      if ("fault" in written && unknown.judge(call) !== undefined) return ofProgram(name, written.fault);
      const operands = [...read.positionals, ...read.rest].map(({ text }) => text);
      const strange = operands.find((text) => /^[+@]/.test(text));
      if (strange) return reasonOf("read-as-option", strange);
      // tsc reads the next word as the value of a switch.
      const off = words.findIndex(({ text }) => text === "--noEmit") + 1;
      if (off > 0 && /^(?:false|null)$/i.test(words[off]?.text ?? ""))
        return reasonOf("option-of-program", name, "--noEmit");
      // These programs run or load their operands.
      const elsewhere = [...operands, ...read.options.map(({ value = "" }) => value)].find(leavesProject);
      return elsewhere ? reasonOf("outside-project", elsewhere) : undefined;
    },
  };
}

function handedMore(words: readonly Word[], { handed }: OptionTable): boolean {
  const dashes = words.findIndex(({ text }) => text === "--");
  return dashes >= 0 && words.slice(dashes + 1).some(({ text }) => handed?.test(text) === false);
}

/** Judges a path by its text alone: an absolute path, one from the home folder, or one with `..`. */
export function leavesProject(text: string): boolean {
  return /^[/~\\]|^[A-Za-z]:[\\/]|(?:^|[/\\])\.\.(?:[/\\]|$)/.test(text);
}

/** Arguments after `--`: for tests, what they run and show; for clippy, lints by name. */
const CARGO_HANDED =
  /^(?:--(?:nocapture|show-output|ignored|include-ignored|exact|list|quiet|skip|test-threads)(?:=.*)?|-[qDWAF]|[\w:]+)$/;
const CARGO = {
  handed: CARGO_HANDED,
  short: "vqhr",
  valued: "pjF",
  long: "all-targets workspace all lib bins tests benches examples release verbose quiet no-default-features all-features locked offline frozen keep-going no-run no-fail-fast nocapture help",
  longValued: "package bin test bench example features jobs message-format color profile exclude",
} satisfies OptionTable;
const GO_TEST =
  "v race short json cover failfast count run skip timeout parallel bench benchtime benchmem list tags p cpu covermode shuffle fullpath";
const DOCKER_LOGS = { short: "ft", valued: "n", long: "timestamps details", longValued: "tail since until" };
const KUBE = {
  short: "AwhL",
  valued: "nolc",
  long: "all-namespaces watch show-labels no-headers ignore-not-found show-kind previous timestamps all-containers",
  longValued: "namespace output selector field-selector sort-by container tail since limit label-columns",
} satisfies OptionTable;
const GH_SHOW = {
  short: "ch",
  valued: "LsSBaAl",
  long: "comments verbose log log-failed exit-status required name-only patch draft",
  longValued:
    "limit state search base head author assignee label json color branch workflow status event job",
} satisfies OptionTable;

export const devTools = (unknown: Profile): [string, Profile][] => {
  const of = (tables: Subcommands): Profile => bySubcommand(tables, unknown);
  const names = (tables: Subcommands): Profile => ({ judge: of(tables).judge, files: () => [] });
  const gh: Profile = {
    judge(call) {
      const [group, verb] = call.words;
      const shows = `${group?.text} ${verb?.text}`;
      if (!/^(?:pr|issue|run|release|repo|workflow) (?:view|list|status|diff|checks)$/.test(shows))
        return notShown(call) ?? unknown.judge(call);
      const read = readProgramOptions(call.words.slice(2), GH_SHOW);
      return "fault" in read ? ofProgram("gh", read.fault) : undefined;
    },
    files: () => [],
  };
  const kubectl: Profile = {
    judge(call) {
      const [verb, ...rest] = call.words;
      if (verb && rest.some(({ text }) => /(?:^|[,/])secrets?(?:$|[,/.])/i.test(text)))
        return reasonOf("shows-secrets");
      if (rest.some(({ text }) => /file=/.test(text))) return reasonOf("takes-from-file");
      return of({ get: KUBE, describe: KUBE, logs: { ...KUBE, short: "fpw" } }).judge(call);
    },
    files: () => [],
  };
  return [
    [
      "tsc",
      {
        ...of({
          "": {
            short: "hv",
            valued: "pt",
            long: "noEmit pretty skipLibCheck strict listFiles showConfig version help diagnostics extendedDiagnostics explainFiles",
            longValued: "project target",
          },
        }),
        configured: ({ words }, disk) => tscWrites(words, disk),
      },
    ],
    [
      "eslint",
      of({
        "": {
          short: "hv",
          long: "quiet no-color color version help debug no-inline-config report-unused-disable-directives no-error-on-unmatched-pattern",
          longValued: "ext max-warnings ignore-pattern global env",
        },
      }),
    ],
    [
      "cargo",
      of({
        check: CARGO,
        test: CARGO,
        build: CARGO,
        clippy: CARGO,
        bench: CARGO,
        tree: {
          ...CARGO,
          short: `${CARGO.short}d`,
          valued: "piej",
          long: `${CARGO.long} duplicates`,
          longValued: "package invert edges depth features prefix",
        },
      }),
    ],
    ["go", goTool(unknown)],
    [
      "pytest",
      of({
        "": {
          short: "xqvslh",
          valued: "kmrn",
          long: "verbose quiet exitfirst lf ff last-failed failed-first nf collect-only co no-header no-summary showlocals stepwise version help strict-markers",
          longValued: "maxfail tb durations color timeout ignore deselect",
        },
      }),
    ],
    ["docker", dockerTool(unknown)],
    ["kubectl", kubectl],
    ["gh", gh],
    [
      "fd",
      names({
        "": {
          short: "HIsiagFp0q1Lh",
          valued: "etdESjc",
          long: "hidden no-ignore case-sensitive ignore-case absolute-path glob full-path fixed-strings print0 quiet follow help version",
          longValued:
            "extension type max-depth min-depth exact-depth exclude size color max-results changed-within changed-before",
        },
      }),
    ],
    ["fdfind", names({ "": { short: "HIsiagFp0q1Lh", valued: "etdESjc" } })],
  ];
};

function dockerTool(unknown: Profile): Profile {
  const shows = bySubcommand(
    {
      ps: {
        short: "aqlsh",
        valued: "nf",
        long: "all quiet latest size no-trunc",
        longValued: "format filter last",
      },
      images: { short: "aqh", valued: "f", long: "all quiet digests no-trunc", longValued: "format filter" },
      logs: DOCKER_LOGS,
      version: { short: "", longValued: "format" },
    },
    unknown,
  );
  return { judge: shows.judge, files: () => [] };
}

/** A package or module from elsewhere: its name starts with a host or specifies a version. */
function fetches(text: string): boolean {
  return text.includes("@") || (/^[^/]+\.[^/]/.test(text) && !/^(?:\.{1,3}(?:\/|$)|[^/]+\.go$)/.test(text));
}

const GO_COMMON = "v race json tags p";
const GO_OPTIONS = new Map(
  Object.entries({
    test: `${GO_TEST} m`,
    vet: GO_COMMON,
    build: GO_COMMON,
    list: `${GO_COMMON} m`,
  }).map(([verb, options]) => [verb, new Set(options.split(" "))]),
);
const GO_SWITCHES = new Set("v race short json cover failfast benchmem fullpath m".split(" "));

/** `-run X` and `-run=X`. Excludes -exec, -toolexec, -o and the profiles that are written. */
function goTool(unknown: Profile): Profile {
  return {
    judge(call) {
      const more = notCovered(call);
      if (more) return more;
      const [verb, ...rest] = call.words;
      const known = GO_OPTIONS.get(verb?.text ?? "");
      return known ? oddGoWord(rest, known) : (notShown(call) ?? unknown.judge(call));
    },
  };
}

function oddGoWord(words: readonly Word[], known: ReadonlySet<string>): Reason | undefined {
  for (let i = 0; i < words.length; i++) {
    const { text, glob } = words[i] ?? { text: "" };
    if (glob !== undefined && /^[*?[]/.test(text)) return reasonOf("pattern-option", text);
    const [, name, value] = /^--?([a-z]+)(=.*)?$/s.exec(text) ?? [];
    if (name === undefined) {
      if (text.startsWith("-")) return reasonOf("option", text);
      if (leavesProject(text)) return reasonOf("outside-project", text);
      if (fetches(text)) return reasonOf("not-listed", text);
      continue;
    }
    if (!known.has(name)) return reasonOf("option", text.replace(/=.*$/s, ""));
    if (value !== undefined || GO_SWITCHES.has(name)) continue;
    const next = words[++i];
    if (!next || next.text.startsWith("-") || next.glob !== undefined) return reasonOf("option", text);
  }
  return undefined;
}
