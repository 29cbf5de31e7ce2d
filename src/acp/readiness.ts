/** Whether a model can be asked at all, and otherwise what the user has to set. Keys stay in the environment. */
import { isThisMachine } from "../core/provider/connect/local-address.ts";
import { modelFor } from "../shared/models/connection.ts";
import { CONNECTION_PRESETS } from "../shared/models/connection-presets.ts";
import type { ErrorView } from "../shared/models/request-error.ts";
import type { AcpParts } from "./acp-parts.ts";

/** A sentence that names what to set; undefined: nothing is known to be missing. */
export function missingSetup(parts: Pick<AcpParts, "settings" | "apiKey" | "errorText">): string | undefined {
  const { connection, model } = modelFor(parts.settings, "act");
  const { baseUrl, keyEnv } = connection;
  const failure = (code: ErrorView["code"], subject?: string) =>
    parts.errorText({ code, ...(subject === undefined ? {} : { subject }) });
  if (baseUrl.trim() === "") return failure("no-endpoint");
  if (model.trim() === "") return failure("no-model");
  if (parts.apiKey(connection) !== undefined || isThisMachine(baseUrl)) return undefined;
  // An unknown endpoint may need no key, and refuses the first request if it does.
  const known = CONNECTION_PRESETS.find((preset) => preset.needsKey && isAt(preset.baseUrl, baseUrl));
  return known || keyEnv !== undefined ? failure("no-key", known?.title ?? baseUrl) : undefined;
}

function isAt(known: string, baseUrl: string): boolean {
  const origin = (address: string) => (URL.canParse(address) ? new URL(address).origin : undefined);
  return origin(known) !== undefined && origin(known) === origin(baseUrl.trim());
}
