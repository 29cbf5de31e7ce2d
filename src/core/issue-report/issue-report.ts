/**
 * The report for issues: what a maintainer needs to know about an installation, and nothing that identifies its user. A field has a number,
 * a date, or one of a list of words that stand in this source; only errors have free text, which is redacted. See
 * `src/core/tools/late-parts.ts` for what this file must not import.
 */
import type { ApiKind } from "../../shared/models/connection.ts";
import type { PresetId } from "../../shared/models/preset-ids.ts";
import type { ErrorCode } from "../../shared/models/request-error.ts";
import type { NoSandboxReason, SandboxState } from "../../shared/sandbox-state.ts";
import type { LastError } from "./last-errors.ts";
import { createRedactor, type PrivateTexts } from "./redact.ts";

/** What kind of computer an address leads to. */
export type HostClass = "this computer" | "private network" | "another computer" | "the editor" | PresetId;

export interface ReportedConnection {
  api: ApiKind;
  host: HostClass;
  encrypted: boolean;
  key: boolean;
  headers: number;
  proxy: boolean;
  isUsed: boolean;
}

/** What a host knows. Texts may be anything: only their harmless parts are in the report. */
export interface ReportFacts {
  version: string;
  host: "terminal" | "vscode";
  /** As the system states them. */
  system: { name: string; release: string; arch: string };
  node: string;
  editor?: { name: string; version: string; remote: string | undefined };
  /** The path of the shell, and the values of TERM_PROGRAM and LANG. */
  shell: string;
  terminal: string;
  language: string;
  /** What `git --version` printed; undefined: it could not be run. */
  git: string | undefined;
  sandbox: SandboxState | undefined;
  /** In the order of the settings. `isUsed`: it answers in act mode. */
  connections: readonly ReportedConnection[];
  /** The id of the model that answers in act mode; "": none is chosen. */
  model: string;
  /** The names of settings whose values are not their defaults, which no user chose. */
  settings: readonly string[];
  /** Why the configuration could not be read; undefined: it could, or the editor reads it. */
  configFault?: "not-json" | "later-version" | "has-key" | "invalid" | undefined;
  /** Keys of the configuration that this version does not know. */
  unknownKeys: number;
  servers: readonly { source: string; transport: string; disabled: boolean }[];
  errors: readonly LastError[];
  private: PrivateTexts;
}

export interface IssueReport {
  nekode: string;
  host: "terminal" | "vscode";
  system: { name: string; release: string; arch: string; wsl: boolean };
  node: string;
  editor?: { name: string; version: string; remote: string };
  terminal: { shell: string; program: string; language: string };
  git: string | null;
  sandbox: { engine: string; version: string } | { engine: null; why: NoSandboxReason | "not-asked" };
  connections: ReportedConnection[];
  /** The family of the model that answers, such as "qwen". */
  model: string;
  servers: { total: number; disabled: number; sources: string[]; transports: string[] };
  /** The names of settings whose values are not their defaults. */
  settings: string[];
  configuration: { fault: string | null; unknownKeys: number };
  /** The newest first. */
  errors: { at: string; nekode: string; code: ErrorCode; detail?: string }[];
}

const SYSTEMS = ["Linux", "macOS", "Windows", "FreeBSD", "OpenBSD"];
const ARCHITECTURES = ["x64", "arm64", "arm", "ia32", "riscv64", "ppc64", "s390x", "loong64"];
const EDITORS = [
  "Visual Studio Code",
  "Visual Studio Code - Insiders",
  "VSCodium",
  "Code - OSS",
  "code-server",
  "Cursor",
  "Windsurf",
];
const REMOTES = ["wsl", "ssh-remote", "dev-container", "attached-container", "codespaces", "tunnel"];
const SHELLS = ["bash", "zsh", "fish", "sh", "dash", "ksh", "pwsh", "powershell", "cmd", "nu", "busybox"];
const TERMINALS = [
  "vscode",
  "iTerm.app",
  "Apple_Terminal",
  "WezTerm",
  "ghostty",
  "tmux",
  "Hyper",
  "WarpTerminal",
  "Windows Terminal",
  "zed",
];
const SOURCES = ["user", "project", "vscode", "plugin"];
const TRANSPORTS = ["stdio", "http", "sse", "auto"];
/** More specific ones come first. */
const FAMILIES =
  "gpt-oss chatgpt gpt-5 gpt-4 gpt-3.5 gpt claude gemini gemma devstral codestral mixtral ministral mistral deepseek qwen qwq codellama llama phi granite grok kimi glm minimax nemotron command starcoder o1 o3 o4".split(
    " ",
  );

/** Never throws. */
export function issueReport(facts: ReportFacts): IssueReport {
  const { system, editor, sandbox } = facts;
  const redact = createRedactor(facts.private);
  return {
    nekode: versionIn(facts.version),
    host: facts.host,
    system: {
      name: oneOf(SYSTEMS, system.name),
      release: versionIn(system.release),
      arch: oneOf(ARCHITECTURES, system.arch),
      wsl: /microsoft/i.test(system.release),
    },
    node: versionIn(facts.node),
    ...(editor
      ? {
          editor: {
            name: oneOf(EDITORS, editor.name),
            version: versionIn(editor.version),
            remote: editor.remote === undefined ? "no" : oneOf(REMOTES, editor.remote),
          },
        }
      : {}),
    terminal: {
      shell: oneOf(SHELLS, programOf(facts.shell)),
      program: facts.terminal === "" ? "unknown" : oneOf(TERMINALS, facts.terminal),
      language: languageIn(facts.language),
    },
    git: facts.git === undefined ? null : versionIn(facts.git),
    sandbox: sandboxFacts(sandbox),
    connections: [...facts.connections],
    model: familyOf(facts.model),
    servers: {
      total: facts.servers.length,
      disabled: facts.servers.filter(({ disabled }) => disabled).length,
      sources: counted(facts.servers.map(({ source }) => oneOf(SOURCES, source))),
      transports: counted(facts.servers.map(({ transport }) => oneOf(TRANSPORTS, transport))),
    },
    settings: [...facts.settings],
    configuration: { fault: facts.configFault ?? null, unknownKeys: facts.unknownKeys },
    errors: [...facts.errors].reverse().map(({ at, version, code, detail }) => ({
      at,
      nekode: versionIn(version),
      code,
      ...(detail === undefined ? {} : { detail: redact(detail) }),
    })),
  };
}

const oneOf = (known: readonly string[], text: string): string =>
  known.find((each) => each.toLowerCase() === text.trim().toLowerCase()) ?? "other";

/** The digits of the first version in a text. What vendors and users append is left out. */
function versionIn(text: string): string {
  return /\d{1,5}(?:\.\d{1,8}){0,3}/.exec(text)?.[0] ?? "unknown";
}

const programOf = (path: string): string => (path.split(/[\\/]/).at(-1) ?? "").replace(/\.exe$/i, "");

function languageIn(text: string): string {
  return /^(?:[a-z]{2}(?=$|[-_.])|C(?=$|\.)|POSIX$)/.exec(text)?.[0] ?? "unknown";
}

function familyOf(model: string): string {
  if (model === "") return "none";
  const id = model.toLowerCase();
  return (
    FAMILIES.find((family) => new RegExp(`(?:^|[^a-z])${family.replace(".", "\\.")}`).test(id)) ?? "other"
  );
}

function sandboxFacts(state: SandboxState | undefined): IssueReport["sandbox"] {
  if (state === undefined) return { engine: null, why: "not-asked" };
  return state.engine === undefined
    ? { engine: null, why: state.why }
    : { engine: state.engine, version: versionIn(state.version) };
}

/** Returns "stdio 2" and the like, in the order of the words. */
function counted(words: readonly string[]): string[] {
  return [...new Set(words)].sort().map((word) => `${word} ${words.filter((each) => each === word).length}`);
}

/** For people who maintain Nekode, so that it is in English in every language. Markdown. */
export function issueReportText(report: IssueReport): string {
  const { system, editor, terminal, sandbox, servers, settings, configuration, errors } = report;
  const connections = report.connections.map(({ api, host, encrypted, key, headers, proxy, isUsed }) =>
    [
      ...[api, host, encrypted ? "https" : "not encrypted", key ? "with a key" : "without a key"],
      ...(headers > 0 ? [`headers: ${headers}`] : []),
      ...(proxy ? ["proxy"] : []),
      ...(isUsed ? ["used"] : []),
    ].join(", "),
  );
  const rows: readonly [string, string][] = [
    ["Nekode", `${report.nekode} (${report.host})`],
    ["System", `${system.name} ${system.release} ${system.arch}${system.wsl ? " in WSL" : ""}`],
    ["Node", report.node],
    ...(editor
      ? [["Editor", `${editor.name} ${editor.version}, remote: ${editor.remote}`] satisfies [string, string]]
      : []),
    ["Terminal", `${terminal.program}, shell: ${terminal.shell}, language: ${terminal.language}`],
    ["Git", report.git ?? "not found"],
    ["Sandbox", sandbox.engine === null ? `none (${sandbox.why})` : `${sandbox.engine} ${sandbox.version}`],
    ["Model", report.model],
    ...listed("Connection", connections),
    [
      "MCP servers",
      servers.total === 0
        ? "none"
        : `${servers.total}, disabled: ${servers.disabled} (${[...servers.sources, ...servers.transports].join(", ")})`,
    ],
    ["Changed settings", settings.length === 0 ? "none" : settings.join(", ")],
    ["Configuration", `${configuration.fault ?? "readable"}, unknown keys: ${configuration.unknownKeys}`],
    ...listed(
      "Error",
      errors.map(({ at, nekode, code, detail }) =>
        [`${at}, ${nekode}, ${code}`, ...(detail === undefined ? [] : [detail])].join(": "),
      ),
    ),
  ];
  return rows.map(([name, text]) => `- ${name}: ${text}\n`).join("");
}

function listed(name: string, texts: readonly string[]): [string, string][] {
  return texts.length === 0 ? [[`${name}s`, "none"]] : texts.map((text) => [name, text]);
}
