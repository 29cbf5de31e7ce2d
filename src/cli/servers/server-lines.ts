/** What the terminal prints about an MCP server, and how it asks for the approval of a project's server. */

import { unifiedDiff } from "../../core/edits/regions.ts";
import type { ServerFailure } from "../../core/servers/server-error.ts";
import type { ConfigProblem, ServerDefinition, Trust } from "../../core/servers/server-types.ts";
import { reasonWords } from "../../shared/words/reasons/reasons.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import { oneLine, withoutControls } from "../screen.ts";
import { askYes, type Terminal } from "../terminal.ts";

/** A problem of a configuration file with its place, without a line feed at the end. */
export function problemLine({ file, line, server, reason }: ConfigProblem, t: Translate): string {
  const place = `${oneLine(file)}:${line}`;
  return `${place}: ${server === undefined ? "" : `${oneLine(server)}: `}${oneLine(reasonWords(t, reason))}`;
}

/** Why a server failed, and indented what it printed last. Without a line feed at the end. */
export function failureLines(server: string, { reason, output }: ServerFailure, t: Translate): string {
  const lines = [t("The MCP server {0} failed: {1}", server, reasonWords(t, reason))];
  if (output !== undefined) lines.push(t("The server's last output:"), output);
  return withoutControls(lines.join("\n")).replaceAll("\n", "\n  ");
}

export type AskedTrust = Exclude<Trust, { state: "trusted" }>;

/**
 * What a project's server would run, and what changed since the user approved it. Each line ends with a line feed. Invisible characters
 * are visible already.
 */
export function trustLines(server: ServerDefinition, trust: AskedTrust, t: Translate): string {
  const place = `${oneLine(server.file)}:${server.line}`;
  const indented = (text: string) => text.replace(/^/gm, "  ");
  const heading = trustHeading(server, trust.state === "new", t);
  const content = trust.state === "new" ? trust.content : withChanges(trust);
  return `${heading} ${place}\n${withoutControls(indented(content))}\n`;
}

function trustHeading({ name, plugin }: ServerDefinition, isNew: boolean, t: Translate): string {
  if (plugin)
    return isNew
      ? t("The plugin {0} configures the MCP server {1}:", plugin.name, name)
      : t("The MCP server {1} of the plugin {0} changed since you approved it:", plugin.name, name);
  return isNew
    ? t("The MCP server {0} starts only after you approve this:", name)
    : t("The MCP server {0} changed since you approved it:", name);
}

/** The whole content, with what was removed and added marked. */
function withChanges({ before, content }: Extract<AskedTrust, { state: "changed" }>): string {
  const context = before.split("\n").length + content.split("\n").length;
  const diff = unifiedDiff(before, content, { context });
  return diff === "" ? content : diff.split("\n").slice(1).join("\n");
}

/** Asks the user to approve the server. */
export function askTrust(
  terminal: Pick<Terminal, "ask">,
  t: Translate,
  signal: AbortSignal,
): Promise<boolean> {
  return askYes(terminal, t, t("Start this server, now and in future sessions?"), signal);
}

/** How to approve the server, for a host without a user to ask. Ends with a line feed. */
export function howToApprove(name: string, t: Translate): string {
  return `${t("The MCP server {0} does not start without your approval. To approve it: {1}", name, `nekode mcp add --project ${name}`)}\n`;
}
