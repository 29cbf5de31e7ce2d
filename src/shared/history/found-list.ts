/**
 * What the panel asks of other agents, what it lists of their sessions, and what an import reports. Only the screen that shows them parses
 * it.
 */
import * as z from "../zod.ts";
import { agentProductSchema } from "./session-origin.ts";

/**
 * Without `keys`: lists the sessions of other agents. Otherwise imports those, or only reads them (`dry`). No keys: the list is no
 * longer needed.
 */
export const foreignRequestSchema = z.object({
  keys: z.optional(z.array(z.string())),
  dry: z.optional(z.boolean()),
  /** About the settings of other agents instead; the result is a `SettingList`. */
  settings: z.optional(
    z.discriminatedUnion("action", [
      z.object({ action: z.literal("list") }),
      z.object({ action: z.literal("take"), key: z.string(), hash: z.string() }),
      z.object({ action: z.literal("undo"), key: z.string() }),
    ]),
  ),
});
export type ForeignRequest = z.infer<typeof foreignRequestSchema>;

const listedForeignSchema = z.object({
  /** Names the session in requests. */
  key: z.string(),
  title: z.string(),
  folder: z.optional(z.string()),
  bytes: z.number(),
  updatedAt: z.string(),
});
export type ListedForeign = z.infer<typeof listedForeignSchema>;

export const foundListSchema = z.array(
  z.object({
    product: agentProductSchema,
    sessions: z.array(listedForeignSchema),
    problems: z.array(z.object({ code: z.string(), path: z.string() })),
  }),
);
export type FoundList = z.infer<typeof foundListSchema>;

export const importReportSchema = z.object({
  imported: z.number(),
  known: z.number(),
  failed: z.number(),
  /** Sessions that were not imported, or lack something. */
  losses: z.array(
    z.object({ title: z.string(), code: z.string(), detail: z.string(), unreadable: z.number() }),
  ),
});
export type ImportReport = z.infer<typeof importReportSchema>;
