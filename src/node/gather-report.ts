/** Gathers what the report for issues says about this machine, for both hosts. */
import { isIP } from "node:net";
import os from "node:os";
import path from "node:path";
import { messageOf } from "../core/errors.ts";
import type {
  HostClass,
  IssueReport,
  ReportedConnection,
  ReportFacts,
} from "../core/issue-report/issue-report.ts";
import { LastErrors } from "../core/issue-report/last-errors.ts";
import type { Host } from "../core/ports/host.ts";
import type { Clock, Log } from "../core/ports/system.ts";
import type { ServerDefinition } from "../core/servers/server-types.ts";
import { type Connection, connectionsOf, EDITOR_CONNECTION, modelFor } from "../shared/models/connection.ts";
import { presetAt } from "../shared/models/connection-presets.ts";
import { defaultSettings, type Settings } from "../shared/settings.ts";
import { isLocal } from "./net/proxy.ts";
import { isPublicAddress } from "./net/web-address.ts";
import { createStorage } from "./store/folder-storage.ts";

/** The folder of the last errors, in the data folder. */
const ERRORS_FOLDER = "errors";
/** Milliseconds for `git --version`. */
const GIT_MS = 10_000;

/** Names that no public name server answers. */
const PRIVATE_NAME = /^[^.]+$|\.(?:local|internal|intranet|lan|home|corp|private|test|home\.arpa)$/i;

/** The last errors of all hosts of this machine. */
export function createLastErrors(dataDir: string, clock: Clock, log: Log): LastErrors {
  return new LastErrors(createStorage(path.join(dataDir, ERRORS_FOLDER)), clock, log);
}

export interface ReportSources extends Pick<ReportFacts, "configFault" | "unknownKeys"> {
  host: Pick<Host, "clock" | "log" | "programs" | "shell" | "system" | "workspace">;
  kind: ReportFacts["host"];
  version: string;
  settings: Settings;
  environment: NodeJS.ProcessEnv;
  /** The language of the interface. */
  language: string;
  dataDir: string | undefined;
  editor?: ReportFacts["editor"];
  servers: readonly ServerDefinition[];
  apiKey(connection: Connection): Promise<string | undefined>;
  /** Further values that must not occur, such as the key of the search provider. */
  secrets: readonly string[];
}

/** The report, and the same as Markdown. Contacts no host. Never rejects because a part is missing. */
export async function gatherIssueReport(
  sources: ReportSources,
): Promise<{ report: IssueReport; text: string }> {
  const { host, settings, environment, dataDir, servers } = sources;
  const connections = connectionsOf(settings);
  const keys = await Promise.all(connections.map((connection) => sources.apiKey(connection)));
  const roots = host.workspace.roots.map((root) => root.path);
  const errors = dataDir === undefined ? [] : await createLastErrors(dataDir, host.clock, host.log).read();
  const { issueReport, issueReportText } = await import("../core/tools/late-parts.ts");
  const { connection: used, model } = modelFor(settings, "act");
  const usesEditors = used.api === EDITOR_CONNECTION.api;
  const listed = usesEditors ? [...connections, EDITOR_CONNECTION] : connections;
  const report = issueReport({
    version: sources.version,
    host: sources.kind,
    system: { name: host.system.os.replace(/ .*/, ""), release: os.release(), arch: process.arch },
    node: process.versions.node,
    ...(sources.editor ? { editor: sources.editor } : {}),
    shell: host.shell.path,
    terminal: environment.TERM_PROGRAM || (environment.WT_SESSION ? "Windows Terminal" : ""),
    language: sources.language,
    git: await gitVersion(host),
    sandbox: await host.shell.sandbox?.(roots),
    connections: listed.map((connection, index) => ({
      ...connectionFacts(connection),
      key: keys[index] !== undefined,
      isUsed: connection.name === used.name,
    })),
    model,
    settings: changedSettings(settings, defaultSettings, []),
    configFault: sources.configFault,
    unknownKeys: sources.unknownKeys,
    servers: servers.map(({ source, launch, disabled }) => ({ source, transport: launch.type, disabled })),
    errors,
    private: {
      secrets: [...keys.flatMap((key) => key ?? []), ...sources.secrets, ...secretsIn(sources)],
      roots,
      home: host.system.home,
      names: namesIn(sources),
      labels: [
        ...connections.map(({ name }) => name),
        ...servers.flatMap(({ name, configuredName }) => [name, configuredName ?? ""]),
        ...[settings.provider.model, settings.provider.planModel],
      ],
    },
  });
  return { report, text: issueReportText(report) };
}

function connectionFacts(connection: Connection): Omit<ReportedConnection, "key" | "isUsed"> {
  const { api, baseUrl, headers, proxy } = connection;
  return {
    api,
    host: api === EDITOR_CONNECTION.api ? "the editor" : hostClassOf(baseUrl.trim()),
    encrypted: /^\s*https:/i.test(baseUrl),
    headers: Object.keys(headers).length,
    proxy: proxy !== undefined,
  };
}

/** A ready-made connection is public knowledge. Other names are judged by their form: looking one up would contact a name server. */
function hostClassOf(address: string): HostClass {
  if (!URL.canParse(address)) return "another computer";
  const { hostname } = new URL(address);
  const host = hostname.replace(/^\[|\]$|\.$/g, "");
  if (isLocal(hostname)) return "this computer";
  if (isIP(host) === 0 ? PRIVATE_NAME.test(host) : !isPublicAddress(host)) return "private network";
  return presetAt(address)?.id ?? "another computer";
}

/** The names come from the defaults, so that keys which the user chose, such as names of models and headers, are not among them. */
function changedSettings(value: unknown, initial: unknown, path: readonly string[]): string[] {
  if (isRecord(value) && isRecord(initial) && Object.keys(initial).length > 0)
    return Object.keys(initial).flatMap((name) =>
      changedSettings(value[name], initial[name], [...path, name]),
    );
  return JSON.stringify(value) === JSON.stringify(initial) ? [] : [path.join(".")];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

async function gitVersion({ programs, system, log }: ReportSources["host"]): Promise<string | undefined> {
  try {
    const end = await programs.run({
      program: "git",
      args: ["--version"],
      cwd: system.home,
      timeoutMs: GIT_MS,
      signal: new AbortController().signal,
      outputLimit: 200,
    });
    return end.exitCode === 0 ? new TextDecoder().decode(end.stdout.bytes) : undefined;
  } catch (error) {
    log.info(`git --version failed: ${messageOf(error)}`);
    return undefined;
  }
}

/** Values of headers, of variables of servers, and of this process's variables whose names say that they are secret. */
function secretsIn({ settings, servers, environment }: ReportSources): string[] {
  const named = /key|token|secret|passw|credential|auth|cookie/i;
  return [
    ...[settings.provider, ...settings.connections].flatMap(({ headers }) => Object.values(headers)),
    ...servers.flatMap(({ launch }) => Object.values(launch.type === "stdio" ? launch.env : launch.headers)),
    ...Object.entries(environment).flatMap(([name, value]) => (named.test(name) && value ? [value] : [])),
  ];
}

/** The user, this computer, and the hosts of everything that is configured. */
function namesIn({ settings, servers, environment, host }: ReportSources): string[] {
  const variables = ["USER", "USERNAME", "LOGNAME", "SUDO_USER", "HOSTNAME", "COMPUTERNAME", "USERDOMAIN"];
  const people = [
    ...["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "EMAIL"],
  ];
  const proxies = Object.entries(environment).flatMap(([name, value]) =>
    /_proxy$/i.test(name) && value ? value.split(",") : [],
  );
  const addresses = [
    ...[settings.provider.baseUrl, settings.search.url, settings.browser.connect, ...proxies],
    ...settings.approval.privateHosts,
    ...settings.connections.flatMap(({ baseUrl, proxy = "" }) => [baseUrl, proxy]),
    ...servers.flatMap(({ launch }) => (launch.type === "stdio" ? [] : [launch.url])),
  ];
  return [
    ...[...variables, ...people].flatMap((name) => environment[name] ?? []),
    path.basename(host.system.home),
    ...computerNames(),
    ...addresses.flatMap(hostsIn),
  ];
}

function computerNames(): string[] {
  const name = os.hostname();
  return [name, name.split(".")[0] ?? ""];
}

/** The host of an address. Those of this computer are no secret. */
function hostsIn(address: string): string[] {
  const text = address.trim();
  const whole = text.includes("://") ? text : `http://${text}`;
  if (text === "" || !URL.canParse(whole)) return [];
  const { hostname } = new URL(whole);
  return hostname === "" || isLocal(hostname) ? [] : [hostname];
}
