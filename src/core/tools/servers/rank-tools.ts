/** Ranks the tools of servers by how well they match a query in words. */
import type { ServerTool } from "../../ports/servers.ts";

export interface NamedTool<T extends DescribedTool = ServerTool> {
  server: string;
  tool: T;
}

/** What the rank depends on. */
export type DescribedTool = Pick<ServerTool, "name" | "title" | "description">;

/** Weight of a word by where it occurs. */
const NAME = 3;
const SERVER = 2;
const DESCRIPTION = 1;
/** Share of the best score below which a tool is not returned. */
const LEAST_SHARE = 0.4;
/** Letters and digits of a name that run together, as in `getPageV2`. */
const wordsPattern = () => /\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{N}+|[^\p{Lu}\p{Ll}\p{N}\P{L}]+/gu;
/** Words that say nothing about what a tool does. */
const EMPTY = new Set("a an and for from in is of on or that the this to tool tools with".split(" "));

/** Returns the tools that match, the best first. */
export function rankTools<T extends DescribedTool>(
  tools: readonly NamedTool<T>[],
  query: string,
): NamedTool<T>[] {
  const words = wordsOf(query);
  const texts = tools.map(fieldsOf);
  // A word that occurs in many tools distinguishes them poorly.
  const worth = new Map(
    words.map((word) => {
      const count = texts.filter((fields) => placeOf(fields, word) > 0).length;
      return [word, Math.log(1 + tools.length / Math.max(1, count))];
    }),
  );
  const ranked = texts
    .map((fields, index) => ({ named: tools[index], score: scoreOf(fields, words, worth, query) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const least = (ranked[0]?.score ?? 0) * LEAST_SHARE;
  return ranked.flatMap(({ named, score }) => (named && score >= least ? [named] : []));
}

interface Fields {
  name: ReadonlySet<string>;
  server: ReadonlySet<string>;
  description: ReadonlySet<string>;
  tool: DescribedTool;
}

function fieldsOf({ server, tool }: NamedTool<DescribedTool>): Fields {
  return {
    name: new Set(wordsOf(`${tool.name} ${tool.title ?? ""}`)),
    server: new Set(wordsOf(server)),
    description: new Set(wordsOf(tool.description)),
    tool,
  };
}

function placeOf({ name, server, description }: Fields, word: string): number {
  if (name.has(word)) return NAME;
  if (server.has(word)) return SERVER;
  if (description.has(word)) return DESCRIPTION;
  // Parts of words, such as "repo" in "repository".
  const isPart = word.length > 2 && [...name, ...description].some((other) => other.startsWith(word));
  return isPart ? DESCRIPTION / 2 : 0;
}

function scoreOf(
  fields: Fields,
  words: readonly string[],
  worth: ReadonlyMap<string, number>,
  query: string,
): number {
  const { tool, name } = fields;
  const found = words.map((word) => placeOf(fields, word) * (worth.get(word) ?? 0));
  const matched = found.filter((each) => each > 0).length;
  if (matched === 0) return 0;
  const sum = found.reduce((total, each) => total + each, 0);
  // A tool that contains all words ranks above a tool with one rare word. A name that matches the query exactly ranks above a
  // longer one.
  const covered = (matched / words.length) ** 2;
  const named = words.filter((word) => name.has(word)).length / Math.max(1, name.size);
  const score = sum * covered * (1 + named / 2);
  const asked = plain(query);
  if (plain(tool.name) === asked || plain(tool.title ?? "") === asked) return score * 10 + 10;
  const [first = ""] = tool.description.trim().split(/(?<=[.!?])\s|\n/, 1);
  if (plain(first) === asked || plain(tool.description) === asked) return score * 5 + 5;
  return plain(tool.description).includes(asked) ? score * 1.5 : score;
}

const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** The words of a text or a name, in a form that is the same for singular and plural, and for most forms of a verb. */
function wordsOf(text: string): string[] {
  const words = [...text.matchAll(wordsPattern())].map(([word]) => stem(word.toLowerCase()));
  const telling = words.filter((word) => !EMPTY.has(word));
  return [...new Set(telling.length > 0 ? telling : words)];
}

function stem(word: string): string {
  if (word.length < 4) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:s|x|ch|sh)es$/.test(word)) return word.slice(0, -2);
  if (/[^s]s$/.test(word)) return word.slice(0, -1);
  const bare = word.replace(/(?:ing|ed)$/, "");
  return bare.length < 3 || bare === word ? word : bare.replace(/([^aeiouls])\1$/, "$1");
}
