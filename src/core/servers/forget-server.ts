/** Deletes everything stored about a removed server: approvals, choices, offers, sign-in and entered values. */
import type { ServerConnector } from "../ports/servers.ts";
import { addressKey } from "./server-identity.ts";
import type { ServerInputs } from "./server-inputs.ts";
import type { ServerDefinition, ServerRecords } from "./server-types.ts";

export interface ForgetDeps {
  records: Pick<ServerRecords, "forget">;
  inputs: Pick<ServerInputs, "forget">;
  connector: Pick<ServerConnector, "signOut">;
  /** See `ServerSetup.knownUrl`. */
  knownUrl(server: ServerDefinition): Promise<string | undefined>;
}

/** `others`: the other configured servers. Values and sign-ins that they also use are kept. */
export async function forgetServer(
  server: ServerDefinition,
  others: readonly ServerDefinition[],
  { records, inputs, connector, knownUrl }: ForgetDeps,
): Promise<void> {
  // Done before the values are deleted, because the URL may contain them.
  const url = await knownUrl(server);
  if (url !== undefined) {
    const used = await Promise.all(others.map(knownUrl));
    const isUsed = used.some((other) => other !== undefined && addressKey(other) === addressKey(url));
    if (!isUsed) await connector.signOut(url);
  }
  await inputs.forget(server, others);
  await records.forget(server);
}
