/** `nekode policy`: what the administrator manages, and what they need to know to write a policy. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { messageOf } from "../../core/errors.ts";
import type { AdminPolicy } from "../../core/policy/admin-policy.ts";
import { contentHash } from "../../core/servers/content-hashes.ts";
import { defaultConfigDir } from "../../node/config/config-dir.ts";
import { createProjectHooks } from "../../node/config/hook-setup.ts";
import { createServerConfig } from "../../node/config/server-setup.ts";
import { machinePolicy, POLICY_FILE } from "../../node/policy/machine-policy.ts";
import { defaultDataDir } from "../../node/store/project-store.ts";
import { openTerminalHost } from "../../node/terminal-host.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import { commandLine } from "../command-line.ts";
import { assetsDir, folderAt, type ProgramContext, print } from "../program.ts";
import { EXIT_CODE } from "../run.ts";
import { jsonLine, oneLine } from "../screen.ts";
import { UsageError } from "../usage-error.ts";

export const POLICY_USAGE = `Usage: nekode policy [--json]
       nekode policy check FILE
       nekode policy hashes [--json]

Shows what the administrator of this computer manages. The policy is a file that only the administrator can write:
${POLICY_FILE}. Nothing that you set can allow more than it does.

  check            check FILE before it is put in that place
  hashes           list the MCP servers, plugins and hooks that are configured here with their hashes, for a policy

  --json           print JSON, one value per line
  --cwd DIR        project folder (default: current folder)

Exit codes: 0 done, 1 the policy cannot be used, 2 invalid usage.
`;

/** Resolves with the exit code. */
export async function showPolicy(run: ProgramContext, args: readonly string[]): Promise<number> {
  const { values, positionals } = commandLine(args, {
    json: { type: "boolean" },
    cwd: { type: "string" },
    help: { type: "boolean", short: "h" },
  });
  if (values.help) return print(run, POLICY_USAGE);
  const { json = false, cwd = "." } = values;
  const [action, file, ...more] = positionals;
  if (more.length > 0 || (action !== "check" && file !== undefined))
    throw new UsageError("policy accepts check FILE or hashes");
  switch (action) {
    case undefined:
      return print(run, await policyText(run, await machinePolicy(), json));
    case "check":
      if (file === undefined) throw new UsageError("policy check requires a FILE");
      return check(run, path.resolve(run.cwd, file));
    case "hashes":
      return listHashes(run, folderAt(path.resolve(run.cwd, cwd)), json);
    default:
      throw new UsageError(`policy accepts check and hashes, not ${JSON.stringify(action)}`);
  }
}

async function policyText(
  { t }: ProgramContext,
  policy: AdminPolicy | undefined,
  json: boolean,
): Promise<string> {
  if (!policy) return json ? jsonLine(null) : `${t("Nothing is managed on this computer.")}\n`;
  return json ? jsonLine(policy) : managedText(t, policy);
}

async function managedText(t: Translate, policy: AdminPolicy): Promise<string> {
  const { managedLines } = await import("../../node/policy/policy-parts.ts");
  return managedLines(t, policy)
    .map((line) => `${oneLine(line)}\n`)
    .join("");
}

/** Prints what is managed, and by whom, on standard error. */
export async function tellManaged(
  policy: AdminPolicy | undefined,
  { screen, t }: Pick<ProgramContext, "screen" | "t">,
): Promise<void> {
  if (policy) await screen.err(await managedText(t, policy));
}

async function check(run: ProgramContext, file: string): Promise<number> {
  const { screen, t } = run;
  const { parsePolicy } = await import("../../node/policy/policy-parts.ts");
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new Error(t("{0} cannot be read: {1}", file, messageOf(error)));
  });
  const { policy, fault } = parsePolicy(text, file);
  if (policy) return print(run, await managedText(t, policy));
  const detail = fault.code === "invalid" ? fault.detail : "";
  await screen.err(`nekode: ${oneLine(t("{0}: {1}", file, detail))}\n`);
  return EXIT_CODE.error;
}

interface HashLine {
  kind: "server" | "plugin" | "hook";
  name: string;
  hash: string;
}

async function listHashes(run: ProgramContext, root: string, json: boolean): Promise<number> {
  const { environment, log, screen } = run;
  const dataDir = defaultDataDir(environment);
  if (dataDir === undefined) throw new UsageError("there is no home folder");
  const host = await openTerminalHost({
    root,
    assetsDir,
    environment,
    dataDir,
    log,
  });
  try {
    const { workspace, plugins } = host;
    const config = createServerConfig({ workspace, configDir: defaultConfigDir(environment), plugins });
    const hooks = createProjectHooks(host, dataDir);
    await hooks.load();
    const lines: HashLine[] = [];
    for (const server of (await config.load()).servers)
      lines.push({ kind: "server", name: server.name, hash: await contentHash(server) });
    for (const [name, { hash }] of (await plugins?.all()) ?? []) lines.push({ kind: "plugin", name, hash });
    for (const { content, definition } of hooks.all)
      lines.push({ kind: "hook", name: `${definition.file}:${definition.line}`, hash: content.hash });
    for (const line of lines)
      await screen.out(json ? jsonLine(line) : `${line.hash}  ${line.kind}  ${oneLine(line.name)}\n`);
    return EXIT_CODE.completed;
  } finally {
    host.shell.dispose();
  }
}
