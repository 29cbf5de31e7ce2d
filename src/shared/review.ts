/** A review of changes: what the model found, each finding on lines of the diff. `docs/review.schema.json` describes it for programs. */
import * as z from "./zod.ts";

/** From the gravest on. pre-existing: the change did not introduce the problem. */
export const SEVERITIES = ["important", "nit", "pre-existing"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** new: lines of the file after the change. old: removed lines, by their numbers before it. */
export const DIFF_SIDES = ["new", "old"] as const;
export type DiffSide = (typeof DIFF_SIDES)[number];

/**
 * Why a changed file was not reviewed. deleted: there is nothing left to review. incomplete: git shows more than is read. outside: it is
 * not in the project's folder. no-answer: the model's answer could not be read. failed: the request to the model failed.
 */
export const NOT_REVIEWED = [
  "binary",
  "generated",
  "too-large",
  "private",
  "deleted",
  "incomplete",
  "outside",
  "limit",
  "no-answer",
  "failed",
] as const;
export type NotReviewed = (typeof NOT_REVIEWED)[number];

export const reviewFindingSchema = z.object({
  /** From the project's folder, with `/`; in another folder of the workspace it begins with `@name:/`. */
  path: z.string(),
  side: z.enum(DIFF_SIDES),
  /** Both count from 1; the end is included. */
  startLine: z.int().check(z.gte(1)),
  endLine: z.int().check(z.gte(1)),
  /** The text of the first line. */
  lineText: z.string(),
  severity: z.enum(SEVERITIES),
  title: z.string(),
  /** Why it is a problem, in Markdown. */
  body: z.string(),
  /** What the lines could be instead, or what to do. */
  suggestion: z.optional(z.string()),
  /** From 0 to 1, as the model states it. */
  confidence: z.number().check(z.gte(0), z.lte(1)),
  /** A second request tried to refute the finding, and did not. */
  verified: z.boolean(),
  /** For removed lines: the line of the new file that they were before; absent: they were the end of the file. */
  newLine: z.optional(z.int().check(z.gte(1))),
});
export type ReviewFinding = z.infer<typeof reviewFindingSchema>;

export const reviewReportSchema = z.object({
  version: z.literal(1),
  /** What the working tree was compared with; staged: the staged changes with the last commit. */
  compared: z.discriminatedUnion("with", [
    z.object({ with: z.literal("last-commit") }),
    z.object({ with: z.literal("staged") }),
    /** The last commit that it has in common with the revision. */
    z.object({ with: z.literal("base"), revision: z.string(), commit: z.string() }),
  ]),
  /** The project's folder, from the top folder of the repository, with `/`; "": it is that folder. */
  folder: z.string(),
  /** Sorted by severity, then by path and line. */
  findings: z.array(reviewFindingSchema),
  /** The files that were reviewed. */
  reviewed: z.array(z.string()),
  notReviewed: z.array(z.object({ path: z.string(), why: z.enum(NOT_REVIEWED) })),
  /** Findings of the model that are not listed: not on lines of the diff, refuted by the second request, or found twice. */
  dropped: z.object({ unplaced: z.int(), refuted: z.int(), repeated: z.int() }),
  /** limit: a limit of costs or requests was reached before the end. */
  ended: z.enum(["done", "limit", "failed"]),
  requests: z.int(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  /** USD; null: not known. */
  cost: z.nullable(z.number()),
});
export type ReviewReport = z.infer<typeof reviewReportSchema>;

/** What happens now. `done` and `all` count the conversations of a pass. */
export interface ReviewProgress {
  step: "reviewing" | "checking";
  files: readonly string[];
  done: number;
  all: number;
}

/**
 * What is reviewed. working: what is not committed, with new files. base: what is new since the common commit with the revision.
 * `folder`: the name of a folder of the workspace, or the path of a folder in one of them. Default: the first that is in a repository.
 */
export type ReviewScope = ({ of: "working" | "staged" } | { of: "base"; revision: string }) & {
  folder?: string;
};

/**
 * The scope that options name: `--staged`, `--base REV`, or a revision alone. All that follows `--in` names the folder, which may contain
 * spaces. undefined: the words are something else.
 */
export function reviewScope(words: readonly string[]): ReviewScope | undefined {
  const at = words.indexOf("--in");
  if (at < 0) return comparedScope(words);
  const scope = comparedScope(words.slice(0, at));
  const folder = words.slice(at + 1).join(" ");
  return scope && folder !== "" ? { ...scope, folder } : undefined;
}

function comparedScope(words: readonly string[]): ReviewScope | undefined {
  const [first, second, ...more] = words;
  if (first === undefined) return { of: "working" };
  if (first === "--staged" && second === undefined) return { of: "staged" };
  const revision = first === "--base" ? second : first;
  const isAlone = first === "--base" ? more.length === 0 : second === undefined;
  if (!isAlone || revision === undefined || revision.startsWith("-")) return undefined;
  return { of: "base", revision };
}

/** What a review of the scope is about, for the model. */
export function reviewScopeText(scope: ReviewScope): string {
  const place = scope.folder === undefined ? "" : ` in ${scope.folder}`;
  switch (scope.of) {
    case "working":
      return `Review the changes${place} that are not committed.`;
    case "staged":
      return `Review the staged changes${place}.`;
    case "base":
      return `Review the changes${place} since the common commit with ${scope.revision}.`;
  }
}
