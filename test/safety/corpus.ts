/** The cases: a copy of the shared examples, our own, and attacks by kind, all read into one shape. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

export const expectedVerdict = z.enum(["allow", "ask", "deny"]);
export const shellKind = z.enum(["bash", "zsh", "sh", "fish", "powershell", "cmd"]);
/** One or several, divided by blanks. */
export const shellKinds = z.string().transform((names) => z.array(shellKind).parse(names.split(" ")));
const commands = z.array(z.tuple([shellKind, z.string(), expectedVerdict]));
const paths = z.array(z.tuple([z.enum(["read", "write"]), z.string(), expectedVerdict]));

const schema = z.object({
  allow: z.array(z.string()),
  deny: z.array(z.string()),
  commands: commands.default([]),
  paths: paths.default([]),
  /** Commands and paths under the name of what they try. */
  kinds: z.record(z.string(), commands).default({}),
  pathKinds: z.record(z.string(), paths).default({}),
});

export type Corpus = z.infer<typeof schema>;

/** Tests and measurements are all started in the repository, bundled or not. */
const folder = join(process.cwd(), "test/safety");

export const CORPORA = [
  "safety-cases.json",
  "own-cases.json",
  "attack-cases.json",
  "inside-cases.json",
  "wide-cases.json",
  "program-cases.json",
  "held-out-cases.json",
];

/** `commands` and `paths` hold those of every kind, too. */
export function loadCorpus(name: string): Corpus {
  const corpus = schema.parse(JSON.parse(readFileSync(join(folder, name), "utf8")));
  return {
    ...corpus,
    commands: [...corpus.commands, ...Object.values(corpus.kinds).flat()],
    paths: [...corpus.paths, ...Object.values(corpus.pathKinds).flat()],
  };
}

/** "ask" is met by a refusal as well: neither runs unasked. */
export function meets(expected: string, got: string): boolean {
  return got === expected || (expected === "ask" && got === "deny");
}

export type Counts = { allow: number; ask: number; deny: number };

/** How many cases of each verdict. */
export function countsOf(cases: readonly (readonly [string, string, "allow" | "ask" | "deny"])[]): Counts {
  const counts = { allow: 0, ask: 0, deny: 0 };
  for (const [, , expected] of cases) counts[expected]++;
  return counts;
}
