/** The records of a journal: one per change, stamped so that replaying them twice or in another order is harmless. */
import { sessionOriginSchema } from "../../../shared/history/session-origin.ts";
import { worktreeSchema } from "../../../shared/history/worktree.ts";
import { messageSchema, modeSchema } from "../../../shared/message.ts";
import { sessionPermissionSchema } from "../../../shared/permission/session-permission.ts";
import { sessionAgentSchema } from "../../../shared/session-agent.ts";
import { totalsSchema } from "../../../shared/totals.ts";
import * as z from "../../../shared/zod.ts";

const patchSchema = z.object({
  title: z.optional(z.string()),
  mode: z.optional(modeSchema),
  permission: z.optional(sessionPermissionSchema),
  /** null: the user chose none. */
  agent: z.optional(z.nullable(sessionAgentSchema)),
  todo: z.optional(z.string()),
  model: z.optional(z.string()),
  endedAt: z.optional(z.nullable(z.string())),
  totals: z.optional(totalsSchema),
  favourite: z.optional(z.boolean()),
  /** When the user deleted the session; null: the deletion was undone. */
  deletedAt: z.optional(z.nullable(z.string())),
  /** null: its worktree no longer exists. */
  worktree: z.optional(z.nullable(worktreeSchema)),
});
export type SessionPatch = z.infer<typeof patchSchema>;

/**
 * A message with its long texts replaced by references to payloads. It is validated as a message only after they are
 * restored.
 */
export const storedMessageSchema = z.looseObject({
  ...z.pick(messageSchema, { id: true, role: true, createdAt: true }).shape,
  blocks: z.array(z.unknown()),
});
export type StoredMessage = z.infer<typeof storedMessageSchema>;

const stamp = {
  /**
   * Increases across all writers that know of each other: larger than every number that its writer had seen. So records
   * sorted by it respect cause and effect, and the numbers of one writer only grow, regardless of the clock.
   */
  seq: z.int().check(z.positive()),
  /** ISO 8601, UTC; for display only. */
  at: z.string(),
  session: z.string(),
  /** UUIDs of the writer and of the store; absent in records of older versions. */
  writer: z.optional(z.string()),
  store: z.optional(z.string()),
};

const newSession = {
  projectPath: z.string(),
  model: z.string(),
  title: z.string(),
  mode: modeSchema,
  permission: z.optional(sessionPermissionSchema),
  agent: z.optional(sessionAgentSchema),
  /** The session whose task started this one. */
  parent: z.optional(z.string()),
  worktree: z.optional(worktreeSchema),
  /** It is imported: its place in the list is that of its last change in the other product. */
  origin: z.optional(sessionOriginSchema),
  startedAt: z.string(),
  /** A branch: the `count` messages of the session `from` up to the position `at` precede its own. */
  fork: z.optional(z.object({ from: z.string(), at: z.int(), count: z.int() })),
};

const placedMessage = {
  position: z.int(),
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
    first: z.optional(z.object(placedMessage)),
    patch: z.optional(patchSchema),
  }),
  z.object({ op: z.literal("message"), ...stamp, ...placedMessage }),
  z.object({ op: z.literal("update"), ...stamp, patch: patchSchema }),
  z.object({ op: z.literal("call"), ...stamp, callId: z.string() }),
  z.object({ op: z.literal("remove"), ...stamp }),
]);
export type JournalRecord = z.infer<typeof recordSchema>;

/** What every record has. */
const stampSchema = z.object({
  op: z.enum(["create", "begin", "message", "update", "call", "remove"]),
  ...stamp,
});
export type RecordStamp = z.infer<typeof stampSchema>;

/** undefined: this version does not understand it. */
export type RecordReader<R extends RecordStamp> = (value: unknown) => R | undefined;

export const readRecord: RecordReader<JournalRecord> = (value) => recordSchema.safeParse(value).data;

/** A tenth of the work, for a process that only writes: what else is wrong in a record is found by whoever reads it. */
export const readStamp: RecordReader<RecordStamp> = (value) => stampSchema.safeParse(value).data;
