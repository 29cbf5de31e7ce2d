/** What the program passes to the agent for editors. Options of the command line are the defaults of every session. */

import type { Readable, Writable } from "node:stream";
import type { Log } from "../core/ports/system.ts";
import { isThisMachine } from "../core/provider/connect/entered-connection.ts";
import type { EndSignals } from "../node/end-signals.ts";
import type { Mode } from "../shared/message.ts";
import { type Connection, modelFor } from "../shared/models/connection.ts";
import { CONNECTION_PRESETS } from "../shared/models/connection-presets.ts";
import type { ErrorView } from "../shared/models/request-error.ts";
import type { Settings } from "../shared/settings.ts";
import type { Translate } from "../shared/words/task-words.ts";

export interface AcpParts {
  settings: Settings;
  mode: Mode | undefined;
  /** The name of the agent of new sessions. */
  agent: string | undefined;
  /** Opens a session even if another window or terminal has it open, which then stores nothing more of it. */
  takeOver: boolean;
  /** The key of the search provider; "": none. */
  searchKey: string;
  apiKey(connection: Connection): string | undefined;
  allowCommand(entry: string): Promise<void>;
  errorText(error: ErrorView): string;
  /** The folder that a list of all sessions begins with. */
  cwd: string;
  dataDir: string;
  configDir: string;
  /** The product's dist/. */
  programDir: string;
  environment: NodeJS.ProcessEnv;
  /** What the editor writes. */
  input: Readable;
  /** What the editor reads. */
  output: Writable;
  signals: EndSignals;
  version: string;
  log: Log;
  t: Translate;
}

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
