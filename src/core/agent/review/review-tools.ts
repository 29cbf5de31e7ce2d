/** The tools with which the reviewer reports: each ends its task. */
import { DIFF_SIDES, SEVERITIES } from "../../../shared/review.ts";
import type { ToolPresentation } from "../../../shared/tool-presentation.ts";
import * as z from "../../../shared/zod.ts";
import type { Invocation, Tool } from "../../tools/tool.ts";
import type { ReviewCore } from "./review-core.ts";

export const REPORT_FINDINGS = "report_findings";
export const REPORT_VERDICTS = "report_verdicts";

/** Models also write numbers as text. */
const lineNumber = () => z.coerce.number().check(z.int(), z.gte(1));

const reportedSchema = z.object({
  path: z.string().check(z.minLength(1), z.describe("As the diff names it.")),
  side: z
    .optional(z.enum(DIFF_SIDES))
    .check(z.describe("new for lines with + or a space, old for lines with -. Default: new.")),
  start_line: lineNumber().check(z.describe("The number before the first line.")),
  end_line: z.optional(lineNumber()).check(z.describe("The number before the last line.")),
  line_text: z.string().check(z.describe("The exact text of the first line, without mark and number.")),
  severity: z
    .enum(SEVERITIES)
    .check(
      z.describe(
        "important: it breaks something for somebody. nit: small. pre-existing: the change did not cause it.",
      ),
    ),
  title: z.string().check(z.minLength(1), z.describe("The problem in one line.")),
  body: z.string().check(z.minLength(1), z.describe("What goes wrong, when, and how you know.")),
  suggestion: z.optional(z.string()).check(z.describe("What the lines should be, or what to do.")),
  confidence: z
    .optional(z.coerce.number().check(z.gte(0), z.lte(1)))
    .check(z.describe("From 0 to 1. Default: 0.5.")),
});
export type ReportedFinding = z.output<typeof reportedSchema>;

const findingsSchema = z.object({
  findings: z
    .array(reportedSchema)
    .check(z.describe("All findings; an empty list if there is nothing to report.")),
});

const verdictsSchema = z.object({
  verdicts: z
    .array(
      z.object({
        finding: lineNumber().check(z.describe("Its number.")),
        holds: z.boolean().check(z.describe("false if you can show that it is wrong.")),
        reason: z.string().check(z.describe("What shows it.")),
      }),
    )
    .check(z.describe("One for each finding.")),
});

/** Running such a call does nothing: the call ends the task. */
const noAction: Invocation = { paths: [], view: {}, run: async () => ({ parts: [] }) };

const PRESENTATION: ToolPresentation = { icon: "check", title: { doing: "Done" }, row: "result" };

/** `correction`: what the model reads if its findings are not right yet; undefined: they are taken. */
export function reportFindingsTool(
  { defineTool }: Pick<ReviewCore, "defineTool">,
  correction: (findings: readonly ReportedFinding[]) => string | undefined,
): Tool {
  return defineTool({
    name: REPORT_FINDINGS,
    presentation: PRESENTATION,
    access: "talk",
    turnEnd: "completed",
    description: "Reports all findings of the review, and ends it.",
    schema: findingsSchema,
    continuation: (params) => correction(findingsOf(params) ?? []),
    prepare: async () => noAction,
  });
}

export function reportVerdictsTool({ defineTool }: Pick<ReviewCore, "defineTool">): Tool {
  return defineTool({
    name: REPORT_VERDICTS,
    presentation: PRESENTATION,
    access: "talk",
    turnEnd: "completed",
    description: "Reports for each finding whether it holds, and ends the check.",
    schema: verdictsSchema,
    prepare: async () => noAction,
  });
}

/** undefined: these are not parameters of such a call. */
export function findingsOf(params: unknown): readonly ReportedFinding[] | undefined {
  return findingsSchema.safeParse(params).data?.findings;
}

/** undefined: these are not parameters of such a call. */
export function verdictsOf(params: unknown): z.output<typeof verdictsSchema>["verdicts"] | undefined {
  return verdictsSchema.safeParse(params).data?.verdicts;
}
