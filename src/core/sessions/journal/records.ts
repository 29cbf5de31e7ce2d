/** What a journal holds: one record a change, stamped so that replaying it twice, or in another order, is harmless. */
import * as z from "zod";
import { totalsSchema } from "../../../shared/event.ts";
import { messageSchema, modeSchema } from "../../../shared/message.ts";

export const patchSchema = z.object({
  title: z.string().optional(),
  mode: modeSchema.optional(),
  todo: z.string().optional(),
  model: z.string().optional(),
  endedAt: z.string().nullable().optional(),
  totals: totalsSchema.optional(),
  favourite: z.boolean().optional(),
  /** When the person deleted it; null: that was undone. */
  deletedAt: z.string().nullable().optional(),
});
export type SessionPatch = z.infer<typeof patchSchema>;

/** A message with its long texts replaced by references to payloads: checked as a message only when made whole. */
export const storedMessageSchema = z.looseObject({
  ...messageSchema.pick({ id: true, role: true, createdAt: true }).shape,
  blocks: z.array(z.unknown()),
});
export type StoredMessage = z.infer<typeof storedMessageSchema>;

const stamp = {
  /**
   * Counts up over all writers that know of each other: larger than every number its writer had seen. So records
   * sorted by it respect cause and effect, and a writer's own numbers only grow, whatever the clock does.
   */
  seq: z.number().int().positive(),
  /** ISO 8601, UTC; for people only. */
  at: z.string(),
  session: z.string(),
  /** Who wrote it and for which store, both UUIDs; records of older versions do not say. */
  writer: z.string().optional(),
  store: z.string().optional(),
};

const newSession = {
  projectPath: z.string(),
  model: z.string(),
  title: z.string(),
  mode: modeSchema,
  startedAt: z.string(),
  /** A branch: the `count` messages of the session `from` up to the position `at` come before its own. */
  fork: z.object({ from: z.string(), at: z.number().int(), count: z.number().int() }).optional(),
};

const placedMessage = {
  position: z.number().int(),
  message: storedMessageSchema,
  payloads: z.array(z.string()),
};

export const recordSchema = z.discriminatedUnion("op", [
  z.object({ op: z.literal("create"), ...stamp, ...newSession }),
  /** A session together with its first message, or with what hides it until it is complete: never an empty session. */
  z.object({
    op: z.literal("begin"),
    ...stamp,
    ...newSession,
    first: z.object(placedMessage).optional(),
    patch: patchSchema.optional(),
  }),
  z.object({ op: z.literal("message"), ...stamp, ...placedMessage }),
  z.object({ op: z.literal("update"), ...stamp, patch: patchSchema }),
  z.object({ op: z.literal("call"), ...stamp, callId: z.string() }),
  z.object({ op: z.literal("remove"), ...stamp }),
]);
export type JournalRecord = z.infer<typeof recordSchema>;
