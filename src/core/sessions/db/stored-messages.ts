/** Converts messages to rows and back, including the files that contain their long texts and packs. */
import { type Message, messageSchema } from "../../../shared/message.ts";
import * as z from "../../../shared/zod.ts";
import { messageOf } from "../../errors.ts";
import { type StoredMessage, storedMessageSchema } from "../journal/records.ts";
import type { Problems } from "../problems.ts";
import type { Database } from "./database.ts";
import { unpacked } from "./packs.ts";
import type { PayloadStore } from "./payloads.ts";
import {
  fromRow,
  MESSAGE_COLUMNS,
  type MessageRow,
  mayNeedPayloads,
  messageRowSchema,
  toRow,
} from "./rows.ts";

const idSchema = z.object({ id: z.string() });

export class StoredMessages {
  readonly #payloads: PayloadStore;
  readonly #problems: Problems;

  constructor(payloads: PayloadStore, problems: Problems) {
    this.#payloads = payloads;
    this.#problems = problems;
  }

  /** Returns the message in its stored form; its long texts are already on disk. */
  async externalize(message: Message): Promise<{ stored: StoredMessage; payloads: Map<string, Uint8Array> }> {
    const { value, payloads } = await this.#payloads.externalize(message);
    // Copies through JSON, so that the stored value is what a reader gets, whatever the given object contained.
    return { stored: storedMessageSchema.parse(JSON.parse(JSON.stringify(value))), payloads };
  }

  /** Returns the messages of a session's rows. Invalid ones are skipped, and reported with the session's `title`. */
  async read(packed: readonly MessageRow[], title: string): Promise<Message[]> {
    const stored: { value: unknown; isWhole: boolean }[] = [];
    const bad: string[] = [];
    const unreadable = (id: string, error: unknown) => bad.push(`${id}: ${messageOf(error).slice(0, 300)}`);
    for (const row of await unpacked(packed, this.#payloads)) {
      try {
        stored.push({ value: fromRow(row), isWhole: !mayNeedPayloads(row) });
      } catch (error) {
        unreadable(row.id, error);
      }
    }
    const inlined = await this.#payloads.inline(
      stored.flatMap(({ value, isWhole }) => (isWhole ? [] : [value])),
    );
    const messages: Message[] = [];
    let at = 0;
    for (const { value: raw, isWhole } of stored) {
      const value = isWhole ? raw : inlined[at++];
      const { success, data, error } = messageSchema.safeParse(value);
      if (success) messages.push(data);
      else unreadable(idSchema.safeParse(value).data?.id ?? "?", error);
    }
    const [first] = bad;
    if (first !== undefined) this.#problems.add("message-unreadable", `${title}: ${bad.length}: ${first}`);
    return messages;
  }

  /** Returns whether this identical message is stored. Throws if a different message has its id. */
  async isStored(db: Database, message: StoredMessage): Promise<boolean> {
    const sql = `SELECT ${MESSAGE_COLUMNS} FROM messages WHERE id = ?`;
    const rows = db.all(messageRowSchema, sql, [message.id]);
    const [known] = await unpacked(rows, this.#payloads);
    if (!known) return false;
    const row = messageRowSchema.parse(toRow(message));
    if (z.keyof(messageRowSchema).options.every((column) => known[column] === row[column])) return true;
    throw new Error(`another message is stored as ${message.id}`);
  }
}
