/** The `<environment_details>` that accompany each user message: where the person is and what runs. */
import type { Totals } from "../../shared/event.ts";
import type { Mode } from "../../shared/message.ts";
import type { Host } from "../ports.ts";

/** Characters of one terminal's new output that are told. */
const terminalLimit = 4_000;

export interface EnvironmentOptions {
  host: Host;
  /** The first turn also has the file list, the workspace's folders and the command-line tools. */
  first: boolean;
  mode: Mode;
  totals: Totals;
  maxFiles: number;
  signal: AbortSignal;
}

export async function environmentDetails(options: EnvironmentOptions): Promise<string> {
  const { host, first, mode, totals } = options;
  const { surroundings, workspace } = host;
  const sections: [string, string][] = [];
  const add = (title: string, body: string) => {
    if (body !== "") sections.push([title, body]);
  };
  add(`${surroundings.hostName} Visible Files`, surroundings.visibleFiles().join("\n") || "(none)");
  add(`${surroundings.hostName} Open Tabs`, surroundings.openTabs().join("\n") || "(none)");
  const terminals = host.shell.terminals();
  add("Actively Running Terminals", describeTerminals(terminals.filter((terminal) => terminal.running)));
  add("Inactive Terminals", describeTerminals(terminals.filter((terminal) => !terminal.running)));
  add("Recently Modified Files", surroundings.recentlyModified().join("\n"));
  add("Current Time", currentTime(host.clock.now(), host.system.timeZone, host.system.locale));
  if (first && workspace.root !== undefined) {
    add(`Current Working Directory (${workspace.root.replaceAll("\\", "/")}) Files`, await fileList(options));
    add("Workspace Configuration", configuration(workspace.roots));
    const tools = await surroundings.cliTools();
    if (tools.length > 0) {
      add("Detected CLI Tools", `${tools.join(", ")}. Others may be installed as well.`);
    }
  }
  add("Context Window Usage", windowUse(totals));
  add("Current Mode", mode === "plan" ? "PLAN MODE" : "ACT MODE");
  const body = sections.map(([title, text]) => `# ${title}\n${text}`).join("\n\n");
  return `<environment_details>\n${body}\n</environment_details>`;
}

function describeTerminals(terminals: ReturnType<Host["shell"]["terminals"]>): string {
  return terminals
    .map((terminal) => {
      const state = terminal.running ? "" : ` (ended, exit code ${terminal.exitCode ?? "unknown"})`;
      const output = terminal.newOutput.slice(-terminalLimit).trim();
      return `## ${terminal.id}: ${terminal.command}${state}${output === "" ? "" : `\n### New Output\n${output}`}`;
    })
    .join("\n");
}

/** As in `2025/10/19 17:11:57 (Asia/Tokyo, UTC+9:00)`, in the person's own locale. */
export function currentTime(now: Date, timeZone: string, locale: string): string {
  const text = new Intl.DateTimeFormat(locale, {
    timeZone,
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    second: "2-digit",
  }).format(now);
  const parts = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" }).formatToParts(now);
  const offset = parts.find((part) => part.type === "timeZoneName")?.value.replace("GMT", "") || "+00:00";
  return `${text} (${timeZone}, UTC${offset.replace(/^([+-])0/, "$1")})`;
}

async function fileList(options: EnvironmentOptions): Promise<string> {
  const { host, maxFiles, signal } = options;
  const { root } = host.workspace;
  if (root === undefined || maxFiles === 0) return "";
  const { paths, more } = await host.search.files(root, { limit: maxFiles, signal });
  if (paths.length === 0) return "(no files yet)";
  const rest = more ? "\n(only the first files; list_files shows the others)" : "";
  return `${paths.sort().join("\n")}${rest}`;
}

function configuration(roots: Host["workspace"]["roots"]): string {
  const workspaces = Object.fromEntries(roots.map((root) => [root.path, { hint: root.name }]));
  return JSON.stringify({ workspaces }, null, 2);
}

function windowUse(totals: Totals): string {
  if (totals.contextWindow === 0) return "";
  const used = totals.contextTokens.toLocaleString("en-US");
  const window = (totals.contextWindow / 1000).toLocaleString("en-US");
  const percent = Math.round((totals.contextTokens / totals.contextWindow) * 100);
  return `${used} / ${window}K tokens used (${percent}%)`;
}
