/** What the commands of `nekode mcp` work with. */
import type { ServerConnector } from "../../core/ports/servers.ts";
import type { ServerSetup } from "../../node/config/server-setup.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import type { Screen } from "../screen.ts";
import type { Terminal } from "../terminal.ts";

export interface McpHost {
  setup: ServerSetup;
  connector: ServerConnector;
  screen: Screen;
  /** undefined: there is nobody to ask. */
  terminal: Terminal | undefined;
  stdin: NodeJS.ReadableStream;
  t: Translate;
  signal: AbortSignal;
}
