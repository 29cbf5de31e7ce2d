/** Detects the connection to the scripted model of `npm start`. */
import type { Connection } from "../../shared/models/connection.ts";

/**
 * `address`: the base URL of the scripted model, which `npm start` passes in the environment of VS Code. A workspace cannot set it,
 * and it only adds words and examples: nothing is allowed because of it.
 */
export function demonstrationOf(
  connections: readonly Pick<Connection, "name" | "baseUrl">[],
  address: string | undefined,
): { demonstration?: string } {
  const connection = address ? connections.find(({ baseUrl }) => baseUrl === address) : undefined;
  return connection ? { demonstration: connection.name } : {};
}
