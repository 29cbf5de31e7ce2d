import {
  type Connection,
  connectionSchema,
  DEFAULT_CONNECTION,
  type ModelChoice,
} from "../../src/shared/models/connection.ts";

/** A connection to an address, otherwise as the settings of the first connection have it. */
export function connectionTo(baseUrl: string, more: Partial<Connection> = {}): Connection {
  return connectionSchema.parse({ name: DEFAULT_CONNECTION, baseUrl, ...more });
}

export function modelAt(baseUrl: string, model: string, more: Partial<Connection> = {}): ModelChoice {
  return { connection: connectionTo(baseUrl, more), model };
}
