/** The cases: a copy of the shared examples and our own, in one shape. */
import { readFileSync } from "node:fs";
import { z } from "zod";

const verdict = z.enum(["allow", "ask", "deny"]);
const shell = z.enum(["bash", "zsh", "sh", "fish", "powershell", "cmd"]);

const schema = z.object({
  allow: z.array(z.string()),
  deny: z.array(z.string()),
  commands: z.array(z.tuple([shell, z.string(), verdict])),
  paths: z.array(z.tuple([z.enum(["read", "write"]), z.string(), verdict])),
});

export type Corpus = z.infer<typeof schema>;

export function loadCorpus(name: string): Corpus {
  return schema.parse(JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8")));
}

/** "ask" is met by a refusal as well: neither runs unasked. */
export function meets(expected: string, got: string): boolean {
  return got === expected || (expected === "ask" && got === "deny");
}
