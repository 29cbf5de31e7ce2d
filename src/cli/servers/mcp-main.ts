/** Sets up what `nekode mcp` and tasks need to use MCP servers in the terminal host. */
import path from "node:path";
import { Interrupt, SignInNeeded, ToolError } from "../../core/errors.ts";
import type { Host } from "../../core/ports/host.ts";
import type { ServerConnector } from "../../core/ports/servers.ts";
import { failureOf, ServerError } from "../../core/servers/server-error.ts";
import type { AskInput } from "../../core/servers/server-inputs.ts";
import { defaultConfigDir } from "../../node/config/config-dir.ts";
import { createServerSetup, type ServerSetup } from "../../node/config/server-setup.ts";
import { onEndSignal } from "../../node/end-signals.ts";
import { loopbackSignIn } from "../../node/servers/auth/loopback-sign-in.ts";
import { openBrowser } from "../../node/servers/auth/open-browser.ts";
import type { SignInUi } from "../../node/servers/auth/sign-in-ui.ts";
import { createServerConnector } from "../../node/servers/connector.ts";
import { defaultDataDir } from "../../node/store/project-store.ts";
import { createFileSecrets } from "../../node/store/secret-file.ts";
import { visible } from "../../shared/visible.ts";
import { reasonWords } from "../../shared/words/reasons/reasons.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import { EXIT_CODE } from "../run.ts";
import { oneLine, type Screen } from "../screen.ts";
import type { ProgramIo } from "../start/program-io.ts";
import { type Terminal, userTerminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { runMcp } from "./mcp-command.ts";
import type { McpOptions } from "./mcp-options.ts";
import { failureLines } from "./server-lines.ts";

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

/** Asks on the terminal for the values that configurations of MCP servers refer to. */
function terminalInputs(terminal: Terminal, t: Translate): AskInput {
  return async ({ name }, { description, password, default: initial, options }, signal) => {
    const asked = t("The MCP server {0} requires a value: {1}", name, oneLine(description));
    const choices = options?.map((option, index) => `\n  ${index + 1}. ${oneLine(option)}`).join("") ?? "";
    for (;;) {
      const answer = await terminal.ask(`${asked}${choices}\n> `, signal, initial, password);
      if (answer === undefined) return undefined;
      if (!options) return answer === "" ? undefined : answer;
      const option = optionNamed(options, answer.trim());
      if (option !== undefined || answer.trim() === "") return option;
    }
  };
}

/** By its number, or by its text as it is shown. */
function optionNamed(options: readonly string[], text: string): string | undefined {
  const numbered = /^\d+$/.test(text) ? options[Number(text) - 1] : undefined;
  return numbered ?? options.find((option) => visible(option) === text);
}

/** Signing in from a terminal: the address is shown and opened, and the browser leads back to this machine. */
function terminalSignIn(screen: Pick<Screen, "err">, environment: NodeJS.ProcessEnv, t: Translate): SignInUi {
  return loopbackSignIn({
    doneText: t("Nekode received the answer. You can close this page and return to the terminal."),
    async show(address) {
      // Shown also if a browser opens, which may be the wrong one.
      await screen.err(`${t("To sign in, visit this address:")}\n${address.href}\n`);
      await openBrowser(address, environment);
    },
  });
}
