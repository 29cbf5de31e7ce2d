/** To which model opaque data may be sent. */
import type { Message, RefusedBlock } from "../../shared/message.ts";
import { DEFAULT_CONNECTION, type ModelChoice } from "../../shared/models/connection.ts";

/** The model that receives a request. */
export type Recipient = Pick<ModelChoice, "model"> & { connection: { name: string } };

/**
 * Whether `recipient` wrote the message, or is the model that a block names. Data that an API signed or encrypted (reasoning,
 * signatures of calls) is sent to no other model: others refuse it or cannot read it, and it may reveal what the user did not choose to
 * share.
 */
export function isRecipientsOwn(
  { model, connection = DEFAULT_CONNECTION }: Pick<Message | RefusedBlock, "model" | "connection">,
  recipient: Recipient,
): boolean {
  return model !== undefined && model === recipient.model && connection === recipient.connection.name;
}
