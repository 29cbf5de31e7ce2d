/** What the program gives the agent for editors. Options of the command line are the defaults of every session. */

import type { Readable, Writable } from "node:stream";
import type { Log } from "../core/ports/system.ts";
import type { EndSignals } from "../node/end-signals.ts";
import type { Mode } from "../shared/message.ts";
import type { Connection } from "../shared/models/connection.ts";
import type { ErrorView } from "../shared/models/request-error.ts";
import type { Settings } from "../shared/settings.ts";
import type { Translate } from "../shared/words/task-words.ts";

export interface AcpParts {
  settings: Settings;
  mode: Mode | undefined;
  /** Opens a session also if another window or terminal has it open, which then stores nothing more of it. */
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
