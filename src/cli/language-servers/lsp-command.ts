/** `nekode lsp`: lists the language servers that are configured, and approves those of plugins. No server is started. It is a bundle of its own. */
import path from "node:path";
import { APPROVED_LANGUAGE_SERVERS } from "../../core/language-servers/approvals-folder.ts";
import {
  LANGUAGE_SERVERS_FILE,
  type LanguageServerDefinition,
  languageServerLine,
} from "../../core/language-servers/language-server-file.ts";
import {
  LanguageServerRecords,
  type LanguageServerTrust,
  languageServerLines,
} from "../../core/language-servers/language-server-records.ts";
import { loadLanguageServers } from "../../core/language-servers/load-language-servers.ts";
import type { Files } from "../../core/ports/files.ts";
import type { Storage } from "../../core/ports/storage.ts";
import type { Log } from "../../core/ports/system.ts";
import { defaultConfigDir } from "../../node/config/config-dir.ts";
import type { InstalledPlugins } from "../../node/plugins/installed-plugins.ts";
import type { machinePolicy } from "../../node/policy/machine-policy.ts";
import { hookStateText } from "../../shared/words/hook-words.ts";
import { reasonWords } from "../../shared/words/reasons/reasons.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import type { commandLine } from "../command-line.ts";
import { oneLine, type Screen, withoutControls } from "../screen.ts";
import type { UsageError } from "../usage-error.ts";
import { LSP_USAGE } from "./lsp-usage.ts";

export interface LspContext {
  environment: NodeJS.ProcessEnv;
  /** Absolute. */
  cwd: string;
  screen: Screen;
  log: Log;
  t: Translate;
}

/** Parts of the program as values, because a bundle has its own copies of what it imports. */
export interface LspProgram {
  commandLine: typeof commandLine;
  files: Files;
  createStorage(folder: string): Storage;
  InstalledPlugins: typeof InstalledPlugins;
  machinePolicy: typeof machinePolicy;
  defaultDataDir(environment: NodeJS.ProcessEnv): string | undefined;
  UsageError: typeof UsageError;
}

/** Resolves with the exit code. Rejects with UsageError. */
export async function runLanguageServersCommand(
  context: LspContext,
  args: readonly string[],
  program: LspProgram,
): Promise<number> {
  const { environment, cwd, screen, log, t } = context;
  const { values, positionals } = program.commandLine(args, {
    all: { type: "boolean" },
    "data-dir": { type: "string" },
    "config-dir": { type: "string" },
    help: { type: "boolean", short: "h" },
  });
  if (values.help) {
    await screen.out(LSP_USAGE);
    return 0;
  }
  const folder = (named: string | undefined) => (named === undefined ? undefined : path.resolve(cwd, named));
  const dataDir = folder(values["data-dir"]) ?? program.defaultDataDir(environment);
  const configDir = folder(values["config-dir"]) ?? defaultConfigDir(environment);
  if (dataDir === undefined || configDir === undefined)
    throw new program.UsageError("there is no home folder; specify folders with --data-dir and --config-dir");
  const records = new LanguageServerRecords(
    program.createStorage(path.join(dataDir, APPROVED_LANGUAGE_SERVERS)),
    log,
  );
  const { servers, problems } = await loadLanguageServers({
    files: program.files,
    userFile: path.join(configDir, LANGUAGE_SERVERS_FILE),
    plugins: new program.InstalledPlugins(dataDir, log, await program.machinePolicy()),
  });
  const [action = "list", ...names] = positionals;
  if (action === "list") {
    if (names.length > 0) throw new program.UsageError("lsp list accepts no NAME");
    for (const server of servers)
      await screen.out(`${listedLine(server, await records.trustOf(server), t)}\n`);
    for (const { file, line, reason } of problems)
      await screen.err(`${oneLine(file)}:${line}: ${oneLine(reasonWords(t, reason))}\n`);
    if (servers.length === 0) await screen.err(`${t("No language servers are configured.")}\n`);
    return 0;
  }
  if (action !== "approve")
    throw new program.UsageError(`lsp accepts list and approve, not ${JSON.stringify(action)}`);
  if ((names.length === 0) !== (values.all === true))
    throw new program.UsageError("lsp approve requires the NAMEs of language servers, or --all");
  const ofPlugins = servers.filter(({ plugin }) => plugin !== undefined);
  const unknown = names.find((name) => !ofPlugins.some((server) => nameOf(server) === name));
  if (unknown !== undefined)
    throw new program.UsageError(
      t("There is no language server {0} of a plugin. See: {1}", unknown, "nekode lsp list"),
    );
  for (const server of ofPlugins) {
    const name = nameOf(server);
    if (!values.all && !names.includes(name)) continue;
    if ((await records.trustOf(server)) === "approved") continue;
    await screen.out(`${withoutControls(languageServerLines(server).replace(/^/gm, "  "))}\n`);
    await records.approve(server);
    await screen.out(`${t("Approved the language server {0}.", oneLine(name))}\n`);
  }
  return 0;
}

function nameOf({ name, plugin }: LanguageServerDefinition): string {
  return plugin ? `${plugin.name}/${name}` : name;
}

function listedLine(server: LanguageServerDefinition, trust: LanguageServerTrust, t: Translate): string {
  const extensions = Object.keys(server.languages).join(" ");
  const state = trust === "own" ? t("yours") : hookStateText(t, trust);
  return oneLine(
    `${nameOf(server)}  ${state}  ${extensions}  ${languageServerLine(server)}  (${server.file}:${server.line})`,
  );
}
