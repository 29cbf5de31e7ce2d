/** The records of a journal: one per change, stamped so that replaying them twice or in another order is harmless. */
import * as z from "zod";
import { sessionOriginSchema } from "../../../shared/history/session-origin.ts";
import { worktreeSchema } from "../../../shared/history/worktree.ts";
import { messageSchema, modeSchema } from "../../../shared/message.ts";
import { sessionPermissionSchema } from "../../../shared/permission/session-permission.ts";
import { sessionAgentSchema } from "../../../shared/session-agent.ts";
import { totalsSchema } from "../../../shared/totals.ts";

const patchSchema = z.object({
  title: z.string().optional(),
  mode: modeSchema.optional(),
  permission: sessionPermissionSchema.optional(),
  /** null: the user chose none. */
  agent: sessionAgentSchema.nullable().optional(),
  todo: z.string().optional(),
  model: z.string().optional(),
  endedAt: z.string().nullable().optional(),
  totals: totalsSchema.optional(),
  favourite: z.boolean().optional(),
  /** When the user deleted the session; null: the deletion was undone. */
  deletedAt: z.string().nullable().optional(),
  /** null: its worktree no longer exists. */
  worktree: worktreeSchema.nullable().optional(),
});
export type SessionPatch = z.infer<typeof patchSchema>;

/**
 * A message with its long texts replaced by references to payloads. It is validated as a message only after they are
 * restored.
 */
export const storedMessageSchema = z.looseObject({
  ...messageSchema.pick({ id: true, role: true, createdAt: true }).shape,
  blocks: z.array(z.unknown()),
});
export type StoredMessage = z.infer<typeof storedMessageSchema>;

const stamp = {
  /**
   * Increases across all writers that know of each other: larger than every number that its writer had seen. So records
   * sorted by it respect cause and effect, and the numbers of one writer only grow, regardless of the clock.
   */
  seq: z.number().int().positive(),
  /** ISO 8601, UTC; for display only. */
  at: z.string(),
  session: z.string(),
  /** UUIDs of the writer and of the store; absent in records of older versions. */
  writer: z.string().optional(),
  store: z.string().optional(),
};

const newSession = {
  projectPath: z.string(),
  model: z.string(),
  title: z.string(),
  mode: modeSchema,
  permission: sessionPermissionSchema.optional(),
  agent: sessionAgentSchema.optional(),
  /** The session whose task started this one. */
  parent: z.string().optional(),
  worktree: worktreeSchema.optional(),
  /** It is imported: its place in the list is that of its last change in the other product. */
  origin: sessionOriginSchema.optional(),
  startedAt: z.string(),
  /** A branch: the `count` messages of the session `from` up to the position `at` precede its own. */
  fork: z.object({ from: z.string(), at: z.number().int(), count: z.number().int() }).optional(),
};

const placedMessage = {
  position: z.number().int(),
  message: storedMessageSchema,
  payloads: z.array(z.string()),
};

export const recordSchema = z.discriminatedUnion("op", [
  z.object({ op: z.literal("create"), ...stamp, ...newSession }),
  /**
   * A session together with its first message, or with the patch that hides it until it is complete: never an empty
   * session.
   */
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
