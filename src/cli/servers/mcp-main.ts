/** Sets up what `nekode mcp` and tasks need to use MCP servers in the terminal host. */
import path from "node:path";
import { Interrupt, SignInNeeded, ToolError } from "../../core/errors.ts";
import type { Host } from "../../core/ports/host.ts";
import type { ServerConnector } from "../../core/ports/servers.ts";
import { failureOf, ServerError } from "../../core/servers/server-error.ts";
import { defaultConfigDir } from "../../node/config/config-dir.ts";
import { createServerSetup, type ServerSetup } from "../../node/config/server-setup.ts";
import { onEndSignal } from "../../node/end-signals.ts";
import { createServerConnector } from "../../node/servers/connector.ts";
import { defaultDataDir } from "../../node/store/project-store.ts";
import { createFileSecrets } from "../../node/store/secret-file.ts";
import { reasonWords } from "../../shared/words/reasons/reasons.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import { EXIT_CODE } from "../run.ts";
import type { Screen } from "../screen.ts";
import type { ProgramIo } from "../start/program-io.ts";
import { type Terminal, userTerminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { failureLines } from "./failure-lines.ts";
import { runMcp } from "./mcp-command.ts";
import type { McpOptions } from "./mcp-options.ts";
import { terminalInputs } from "./terminal-inputs.ts";
import { terminalSignIn } from "./terminal-sign-in.ts";

export interface TerminalServersOptions {
  host: Pick<Host, "workspace" | "system" | "log" | "fetch">;
  environment: NodeJS.ProcessEnv;
  /** The values of variables in a server's configuration. */
  withKeys: NodeJS.ProcessEnv;
  /** From the command line; default: from the environment, else the system's own place. */
  configDir: string | undefined;
  dataDir: string | undefined;
  /** undefined: there is nobody to ask. */
  terminal: Terminal | undefined;
  screen: Pick<Screen, "err">;
  /** The product's dist/. */
  programDir: string;
  version: string;
  t: Translate;
}

/** The file of secrets, in the data folder. */
const SECRETS_FILE = path.join("servers", "secrets.json");

/** Reads and starts nothing. Throws UsageError if there is no folder for the data. */
export function terminalServers(options: TerminalServersOptions): {
  setup: ServerSetup;
  connector: ServerConnector;
} {
  const { host, environment, withKeys, terminal, screen, programDir, version, t } = options;
  const dataDir = options.dataDir ?? defaultDataDir(environment);
  if (dataDir === undefined)
    throw new UsageError("there is no home folder; specify a folder with --data-dir");
  const configDir = options.configDir ?? defaultConfigDir(environment) ?? path.join(dataDir, "config");
  const secrets = createFileSecrets(path.join(dataDir, SECRETS_FILE));
  const askInput = terminal && terminalInputs(terminal, t);
  return {
    setup: createServerSetup({ host, configDir, dataDir, environment: withKeys, secrets, askInput }),
    connector: createServerConnector({
      folder: programDir,
      roots: () => host.workspace.roots.map((root) => root.path),
      environment,
      fetch: host.fetch ?? fetch,
      version,
      secrets,
      dataDir,
      signIn: [terminalSignIn(screen, environment, t)],
    }),
  };
}

/** `nekode mcp`, except its help. Resolves with the exit code. */
export async function mcp(
  { action, json, configDir, dataDir }: McpOptions,
  around: Pick<TerminalServersOptions, "host" | "environment" | "withKeys" | "programDir" | "version" | "t"> &
    Pick<ProgramIo, "stdin" | "stderr" | "signals"> & { screen: Screen },
): Promise<number> {
  const { stdin, stderr, signals, screen, t } = around;
  if (action.kind === "help") return EXIT_CODE.completed;
  const readsInput = action.kind === "add-from" && action.file === "-";
  const terminal = readsInput ? undefined : userTerminal(stdin, stderr);
  const interrupt = new AbortController();
  const asked = onEndSignal(signals, () => interrupt.abort());
  const { setup, connector } = terminalServers({ ...around, configDir, dataDir, terminal });
  try {
    const { signal } = interrupt;
    return await runMcp(action, json, {
      setup,
      connector,
      screen,
      terminal,
      stdin,
      t,
      signal,
    });
  } catch (error) {
    if (interrupt.signal.aborted || error instanceof Interrupt) return EXIT_CODE.interrupted;
    throw error instanceof ToolError ? new Error(wordsOf(error, t)) : error;
  } finally {
    asked.dispose();
  }
}

/** A tool's error is written for the model; this is for the user. */
function wordsOf(error: ToolError, t: Translate): string {
  if (error instanceof SignInNeeded)
    return t("{0} requires you to sign in: {1}", error.server, `nekode mcp login ${error.server}`);
  if (error instanceof ServerError) return failureLines(error.server, failureOf(error), t);
  return error.fault === undefined ? error.message : reasonWords(t, error.fault);
}
