/** Forgets what is remembered about a server that is removed: approvals, choices, offers, sign-in and entered values. */
import type { ServerConnector } from "../ports/servers.ts";
import { addressKey } from "./server-address.ts";
import type { ServerInputs } from "./server-inputs.ts";
import type { ServerDefinition, ServerRecords } from "./server-types.ts";

export interface ForgetDeps {
  records: Pick<ServerRecords, "forget">;
  inputs: Pick<ServerInputs, "forget">;
  connector: Pick<ServerConnector, "signOut">;
  /** See `ServerSetup.knownUrl`. */
  knownUrl(server: ServerDefinition): Promise<string | undefined>;
}

/** `others`: the other configured servers, which keep the values and the sign-in that they use too. */
export async function forgetServer(
  server: ServerDefinition,
  others: readonly ServerDefinition[],
  { records, inputs, connector, knownUrl }: ForgetDeps,
): Promise<void> {
  // Before the values are forgotten, which the URL may contain.
  const url = await knownUrl(server);
  if (url !== undefined) {
    const used = await Promise.all(others.map(knownUrl));
    const isUsed = used.some((other) => other !== undefined && addressKey(other) === addressKey(url));
    if (!isUsed) await connector.signOut(url);
  }
  await inputs.forget(server, others);
  await records.forget(server);
}
