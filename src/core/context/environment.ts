/** The `<environment_details>` of a user message: open files, terminals, time, context usage and mode. */

import { linesMention, mentionText } from "../../shared/mentions.ts";
import type { Mode } from "../../shared/message.ts";
import { terminalText } from "../../shared/terminal-output.ts";
import { groupedDigits } from "../../shared/text/grouped-digits.ts";
import type { Totals } from "../../shared/totals.ts";
import { visible } from "../../shared/visible.ts";
import { Interrupt, messageOf } from "../errors.ts";
import type { Host } from "../ports/host.ts";
import type { TerminalInfo } from "../ports/shell.ts";
import type { UserTerminal } from "../ports/surroundings.ts";
import type { SystemInfo } from "../ports/system.ts";
import { rootPrefix } from "../roots.ts";
import { sliceWhole, visibleName } from "../text.ts";
import { estimateTokens } from "./tokens.ts";

/** Entries in each list of open or modified files. */
const MOST_ENTRIES = 50;
/** Share of the context window that the file list may fill. */
const FILES_SHARE = 0.1;

/** Characters of one terminal's new output, of all terminals' output together, and of a command. */
const TERMINAL_LIMIT = 4_000;
const TERMINALS_LIMIT = 16_000;
const COMMAND_LIMIT = 500;
/** Terminals of each kind that are listed. */
const MOST_TERMINALS = 10;

/** The heading of the output that a command printed since it was last reported. */
const NEW_OUTPUT = "### New Output";

/** How much the time (in milliseconds) and the used share of the context window must change before they are sent again. */
const TIME_STEP = 5 * 60_000;
const USAGE_STEP = 0.05;

/** How long a command has been running. */
const RUNNING_FOR = /\(running for [^()]*\)/g;

export interface EnvironmentOptions {
  host: Host;
  /** The first turn also has the file list, the workspace's folders and the command-line tools. */
  first: boolean;
  mode: Mode;
  totals: Totals;
  maxFiles: number;
  /** The models that wrote the earlier answers, and the one that receives this message; absent: it is the same model. */
  models?: { before: readonly string[]; now: string } | undefined;
  /** Tokens. */
  contextWindow: number;
  signal: AbortSignal;
}

/** Titles of sections. */
const CURRENT_FILE = "Current File";
const RUNNING = "Actively Running Terminals";
const MODIFIED = "Recently Modified Files";
const TIME = "Current Time";
const USAGE = "Context Window Usage";

export interface EnvironmentDetails {
  /** By title, in order. */
  sections: ReadonlyMap<string, string>;
  /** Milliseconds since the epoch. */
  at: number;
  /** The share of the context window that is used. */
  usedShare: number;
}

/** The details as the model receives them. */
export function detailsText({ sections }: EnvironmentDetails): string {
  const body = [...sections].map(([title, text]) => `# ${title}\n${text}`).join("\n\n");
  // The name of a file or a terminal may imitate the closing tag.
  const own = body.replace(/<(?=\/?environment_details)/gi, "< ");
  return `<environment_details>\n${own}\n</environment_details>`;
}

export async function environmentDetails(options: EnvironmentOptions): Promise<EnvironmentDetails> {
  const { host, first, mode, totals, contextWindow } = options;
  const { surroundings, workspace } = host;
  const sections = new Map<string, string>();
  const add = (title: string, body: string) => {
    if (body !== "") sections.set(title, body);
  };
  if (surroundings.namesOpenFiles?.() ?? true) {
    add(`${surroundings.hostName} Visible Files`, entries(surroundings.visibleFiles()) || "(none)");
    add(`${surroundings.hostName} Open Tabs`, entries(surroundings.openTabs()) || "(none)");
    add(CURRENT_FILE, await currentFile(host));
  }
  const terminals = describeTerminals(host);
  add(RUNNING, terminals.running);
  add("Inactive Terminals", terminals.inactive);
  add(MODIFIED, entries(surroundings.recentlyModified()));
  const now = host.clock.now();
  add(TIME, currentTime(now, host.system));
  if (first && workspace.root !== undefined) {
    for (const [title, list] of await fileLists(options)) add(title, list);
    add("Workspace Configuration", configuration(workspace.roots));
    const tools = await surroundings.cliTools();
    if (tools.length > 0) {
      add("Detected CLI Tools", `${tools.join(", ")}. Others may be installed as well.`);
    }
  }
  add(USAGE, windowUse(options));
  add("Models", modelsText(options));
  add("Current Mode", mode === "plan" ? "PLAN MODE" : "ACT MODE");
  return { sections, at: now.getTime(), usedShare: totals.contextTokens / contextWindow };
}

/**
 * Whether the details contain anything new for the model. Others are not worth sending, because details stay in every later request of
 * the task. `before`: the details that it received last.
 */
export function hasNews(before: EnvironmentDetails, now: EnvironmentDetails): boolean {
  if (now.at - before.at >= TIME_STEP) return true;
  if (now.usedShare > 0 && before.usedShare === 0) return true;
  if (Math.abs(now.usedShare - before.usedShare) >= USAGE_STEP) return true;
  return [...now.sections.keys(), CURRENT_FILE, RUNNING].some((title) => isNew(title, before, now));
}

function isNew(title: string, before: EnvironmentDetails, now: EnvironmentDetails): boolean {
  if (title === TIME || title === USAGE) return false;
  const text = now.sections.get(title) ?? "";
  // These report what happened, which may be the same twice.
  if ((title === MODIFIED && text !== "") || text.includes(NEW_OUTPUT)) return true;
  const known = before.sections.get(title) ?? "";
  return text.replace(RUNNING_FOR, "") !== known.replace(RUNNING_FOR, "");
}

/** The current file as a mention. For selected lines, their range is named without their content. */
async function currentFile({ surroundings }: Host): Promise<string> {
  const file = await surroundings.currentFile?.();
  if (file === undefined) return "";
  const { path, lines } = file;
  return visibleName(lines ? linesMention({ path, ...lines }) : mentionText(path));
}

/** Names the models of the conversation, because a model would otherwise take another's answers for its own. */
function modelsText({ models }: EnvironmentOptions): string {
  if (!models) return "";
  const { before, now } = models;
  return `Earlier answers in this conversation were written by ${before.join(", ")}. You are ${now}.`;
}

/** One path per line, up to the limit. */
function entries(paths: readonly string[]): string {
  const shown = paths.slice(0, MOST_ENTRIES).map(visibleName);
  if (paths.length > shown.length) shown.push(`(${paths.length - shown.length} more)`);
  return shown.join("\n");
}

/**
 * For example `2025/10/19 午後5:11:57 (Asia/Tokyo, UTC+9:00)`, in the user's locale. Falls back to English and UTC if the
 * system's locale or time zone is unknown.
 */
export function currentTime(now: Date, system: TimePlace): string {
  const write = system.isLocalZone ? LOCAL_TIMES.get(system.locale) : undefined;
  if (write) return `${write(now)} (${system.timeZone}, UTC${localOffset(now)})`;
  const { zone, time, offsets } = timeFormats.get(system) ?? timeFormat(system);
  const parts = offsets.formatToParts(now);
  const offset = parts.find((part) => part.type === "timeZoneName")?.value.replace("GMT", "") || "+00:00";
  return `${time.format(now)} (${zone}, UTC${offset.replace(/^([+-])0/, "$1")})`;
}

type TimePlace = Readonly<Pick<SystemInfo, "timeZone" | "isLocalZone" | "locale">>;

const twoDigits = (value: number): string => String(value).padStart(2, "0");

function englishTime(now: Date): string {
  const hours = now.getHours();
  const time = `${hours % 12 || 12}:${minutesOf(now)} ${hours < 12 ? "AM" : "PM"}`;
  return `${now.getMonth() + 1}/${now.getDate()}/${now.getFullYear()}, ${time}`;
}

function japaneseTime(now: Date): string {
  const hours = now.getHours();
  const time = `${hours < 12 ? "午前" : "午後"}${hours % 12}:${minutesOf(now)}`;
  return `${now.getFullYear()}/${now.getMonth() + 1}/${now.getDate()} ${time}`;
}

/**
 * The times of the runtime's own time zone as its formats write them, by locale, in the languages of most users. To load the tables of a
 * format takes longer than everything else that a first message waits for.
 */
const LOCAL_TIMES: ReadonlyMap<string, (now: Date) => string> = new Map([
  ["en", englishTime],
  ["en-US", englishTime],
  ["ja", japaneseTime],
  ["ja-JP", japaneseTime],
]);

const minutesOf = (now: Date): string => `${twoDigits(now.getMinutes())}:${twoDigits(now.getSeconds())}`;

/** For example `+9:00`. */
function localOffset(now: Date): string {
  const minutes = -now.getTimezoneOffset();
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${Math.floor(size / 60)}:${twoDigits(size % 60)}`;
}

interface TimeFormat {
  zone: string;
  time: Intl.DateTimeFormat;
  offsets: Intl.DateTimeFormat;
}

/** Creating a format takes many times longer than using it, and the environment is described after each result. */
const timeFormats = new WeakMap<TimePlace, TimeFormat>();

function timeFormat(system: TimePlace): TimeFormat {
  const { timeZone, locale } = system;
  const zone = supportedOr(() => new Intl.DateTimeFormat("en-US", { timeZone }), timeZone, "UTC");
  const language = supportedOr(() => new Intl.DateTimeFormat(locale), locale, "en-US");
  const time = new Intl.DateTimeFormat(language, {
    timeZone: zone,
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    second: "2-digit",
    hour12: true,
  });
  const offsets = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  const format = { zone, time, offsets };
  timeFormats.set(system, format);
  return format;
}

function supportedOr(make: () => unknown, name: string, fallback: string): string {
  try {
    make();
    return name;
  } catch {
    return fallback;
  }
}

/**
 * The files of each workspace folder, as paths that tools and mentions accept. The first folder is the working directory;
 * all folders share the limits.
 */
async function fileLists(options: EnvironmentOptions): Promise<[title: string, list: string][]> {
  const { host, maxFiles, contextWindow } = options;
  const { roots } = host.workspace;
  if (maxFiles === 0) return [];
  const each = {
    most: Math.ceil(maxFiles / roots.length),
    room: (contextWindow * FILES_SHARE) / roots.length,
  };
  return Promise.all(
    roots.map(async (root, index): Promise<[string, string]> => {
      const { name, path } = root;
      const what = index === 0 ? "Current Working Directory" : `Workspace Folder "${visibleName(name)}"`;
      const list = await fileList(path, rootPrefix(host.workspace, root), each, options);
      return [`${what} (${visibleName(path.replaceAll("\\", "/"))}) Files`, list];
    }),
  );
}

async function fileList(
  root: string,
  prefix: string,
  { most, room }: { most: number; room: number },
  { host, signal }: EnvironmentOptions,
): Promise<string> {
  try {
    const { paths, more } = await host.search.files(root, { limit: most, signal });
    return listed(
      paths.sort().map((path) => prefix + path),
      more,
      room,
    );
  } catch (error) {
    if (error instanceof Interrupt) throw error;
    // The message is sent even if the list is unavailable.
    return `(the files cannot be listed: ${messageOf(error)})`;
  }
}

function listed(paths: readonly string[], more: boolean, most: number): string {
  if (paths.length === 0) return "(no files yet)";
  let room = most;
  const shown: string[] = [];
  for (const path of paths.map(visibleName)) {
    room -= estimateTokens(path) + 1;
    if (room < 0) break;
    shown.push(path);
  }
  const rest =
    more || shown.length < paths.length ? "\n(only the first files; list_files shows the others)" : "";
  return `${shown.join("\n")}${rest}`;
}

function configuration(roots: Host["workspace"]["roots"]): string {
  const workspaces = Object.fromEntries(roots.map((root) => [root.path, { hint: root.name }]));
  return JSON.stringify({ workspaces }, null, 2);
}

/** For example `14,367 / 1,047.576K tokens used (1%)`. */
function windowUse({ totals, contextWindow }: EnvironmentOptions): string {
  const used = groupedDigits(totals.contextTokens);
  const window = groupedDigits(contextWindow / 1000);
  const percent = Math.round((totals.contextTokens / contextWindow) * 100);
  return `${totals.contextEstimated ? "about " : ""}${used} / ${window}K tokens used (${percent}%)`;
}

/**
 * The sections of the agent's commands and the user's terminals; "" for an empty one. Marks the output of the agent's commands as
 * reported.
 */
function describeTerminals({ shell, surroundings }: Pick<Host, "shell" | "surroundings">): {
  running: string;
  inactive: string;
} {
  const terminals = shell.terminals();
  const own = surroundings.userTerminals?.() ?? [];
  const section = (running: boolean) =>
    [
      ...commandLines(terminals.filter((terminal) => terminal.running === running)),
      ...bounded(own.filter((terminal) => terminal.running === running).map(userLine)),
    ].join("\n");
  return { running: section(true), inactive: section(false) };
}

function commandLines(terminals: readonly TerminalInfo[]): string[] {
  const each = Math.min(
    TERMINAL_LIMIT,
    Math.floor(TERMINALS_LIMIT / Math.max(1, Math.min(MOST_TERMINALS, terminals.length))),
  );
  return bounded(
    terminals.map((terminal) => {
      const { id, command, running, exitCode, durationMs, newOutput } = terminal;
      const state = running
        ? `running for ${duration(durationMs)}`
        : `ended after ${duration(durationMs)}, exit code ${exitCode ?? "unknown"}`;
      const printed = terminalText(newOutput);
      const output = sliceWhole(printed, printed.length - each, printed.length).trim();
      return `## ${id}: ${inLine(command)} (${state})${output === "" ? "" : `\n${NEW_OUTPUT}\n${output}`}`;
    }),
  );
}

function userLine({ name, running, command, exitCode, durationMs }: UserTerminal): string {
  const title = `## The user's terminal ${JSON.stringify(inLine(name))}`;
  if (command === undefined) return `${title}: no command was seen`;
  if (running)
    return `${title}: ${inLine(command)}${durationMs === undefined ? "" : ` (running for ${duration(durationMs)})`}`;
  const code = exitCode === undefined ? "" : ` (exit code ${exitCode})`;
  return `${title}: idle; last command: ${inLine(command)}${code}`;
}

/** The newest entries, and the number of omitted ones. */
function bounded(lines: readonly string[]): string[] {
  const omitted = lines.length - MOST_TERMINALS;
  return omitted > 0 ? [`(${omitted} more)`, ...lines.slice(-MOST_TERMINALS)] : [...lines];
}

/** Shortens a command or name and makes it a single line. */
function inLine(text: string): string {
  const short = text.length > COMMAND_LIMIT ? `${sliceWhole(text, 0, COMMAND_LIMIT)}...` : text;
  return visible(short).replaceAll("\n", "⏎");
}

/** For example `42s`, `5m 30s`, `2h 5m`. */
function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}m ${seconds % 60}s` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}
