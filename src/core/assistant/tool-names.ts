import type { ToolSyntax } from "./events.ts";
import { normalise } from "./spelling.ts";

/** A name that stands for a known tool, with a mapping where its parameters have other names; or the nearest names. */
export type ResolvedName =
  | {
      name: string;
      mapParams?: (params: Record<string, unknown>) => Record<string, unknown>;
      /** The name of nebula's tool that was used, with the contract that it has. */
      alias?: string;
    }
  | { suggestions: string[] };

interface Alias {
  tool: string;
  params: readonly string[];
  /** As in `ToolSyntax`. */
  text: string;
  mapParams?: (params: Record<string, unknown>) => Record<string, unknown>;
}

/** The tools of nebula, and what each is here. */
const ALIASES: ReadonlyMap<string, Alias> = new Map<string, Alias>([
  ["readFile", { tool: "read_file", params: ["path"], text: "path" }],
  ["writeFile", { tool: "write_to_file", params: ["path", "content"], text: "" }],
  [
    "editFile",
    {
      tool: "write_to_file",
      params: ["path", "new_content"],
      text: "",
      mapParams: (params) => rename(params, { new_content: "content" }),
    },
  ],
  ["list", { tool: "list_files", params: ["path", "recursive"], text: "path" }],
  [
    "searchInDirectory",
    {
      tool: "search_files",
      params: ["directory", "keyword"],
      text: "",
      mapParams: ({ keyword, ...rest }) =>
        rename(
          keyword === undefined
            ? rest
            : { ...rest, regex: typeof keyword === "string" ? escapeRegex(keyword) : keyword },
          { directory: "path" },
        ),
    },
  ],
]);

const LONGEST_NAME = 64;

/**
 * The known tool that `name` means: the same name, one of nebula's, the same but for case or for how its words are
 * joined (`ReadFile`, `read-file`), or one of these after a prefix (`functions.read_file`). Anything else gives the
 * nearest known names, at most three, the nearest first; none where nothing is near.
 */
export function resolveToolName(name: string, known: readonly string[]): ResolvedName {
  const whole = resolve(name, known);
  if (whole !== undefined) return whole;
  const bare = name.slice(Math.max(name.lastIndexOf("."), name.lastIndexOf(":"), name.lastIndexOf("/")) + 1);
  const stripped = bare === name || bare === "" ? undefined : resolve(bare, known);
  return stripped ?? { suggestions: nearestNames(name, known) };
}

function resolve(name: string, known: readonly string[]): ResolvedName | undefined {
  if (known.includes(name)) return { name };
  const alias = ALIASES.get(name);
  if (alias !== undefined && known.includes(alias.tool)) {
    return alias.mapParams === undefined
      ? { name: alias.tool, alias: name }
      : { name: alias.tool, alias: name, mapParams: alias.mapParams };
  }
  const plain = normalise(name);
  const same = known.filter((other) => normalise(other) === plain);
  const [only] = same;
  return only !== undefined && same.length === 1 ? { name: only } : undefined;
}

/** The parameter of our tool that takes what a call of `name` gives as `param`, while it streams. */
export function streamedParam(name: string, param: string): string {
  return name === "editFile" && param === "new_content" ? "content" : param;
}

/** Nebula's tools in the form that the XML parser takes, so far as the tools they stand for are there. */
export function aliasTools(tools: readonly ToolSyntax[]): ToolSyntax[] {
  const names = new Set(tools.map((tool) => tool.name));
  return [...ALIASES]
    .filter(([name, { tool }]) => names.has(tool) && !names.has(name))
    .map(([name, { params, text }]) => ({ name, params, text }));
}

/** The candidates that `name` may be a slip for, at most three, the nearest first. */
export function nearestNames(name: string, candidates: readonly string[]): string[] {
  const plain = normalise(name.slice(0, LONGEST_NAME));
  if (plain === "") return [];
  const scored = candidates.flatMap((candidate) => {
    const other = normalise(candidate);
    const length = Math.max(plain.length, other.length);
    const contains =
      plain.length >= 3 && other.length >= 3 && (other.includes(plain) || plain.includes(other));
    const score = Math.min(
      distance(plain, other) / length,
      contains ? 0.3 : 1,
      sharesWords(name, candidate) ? 0.35 : 1,
    );
    return score <= 0.4 ? [{ candidate, score }] : [];
  });
  return scored
    .sort((a, b) => a.score - b.score)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** True where at least half of the words of the shorter name, of three letters or more, stand in the other too. */
function sharesWords(a: string, b: string): boolean {
  const wordsA = words(a);
  const wordsB = words(b);
  const shared = wordsA.filter((word) => wordsB.includes(word)).length;
  return shared > 0 && shared * 2 >= Math.max(wordsA.length, wordsB.length);
}

function words(name: string): string[] {
  return name
    .slice(0, LONGEST_NAME)
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length >= 3);
}

/** Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      row.push(best);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

function rename(params: Record<string, unknown>, names: Record<string, string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [names[name] ?? name, value]));
}

function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
