/** The approval of a project's MCP server on a terminal: what would run, and what changed since the user approved it. */
import { unifiedDiff } from "../../core/edits/regions.ts";
import type { ServerDefinition, Trust } from "../../core/servers/server-types.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import { oneLine, withoutControls } from "../screen.ts";
import { askYes, type Terminal } from "../terminal.ts";

export type AskedTrust = Exclude<Trust, { state: "trusted" }>;

/** Each line ends with a line feed. Invisible characters are visible already. */
export function trustLines(server: ServerDefinition, trust: AskedTrust, t: Translate): string {
  const place = `${oneLine(server.file)}:${server.line}`;
  const indented = (text: string) => text.replace(/^/gm, "  ");
  const heading =
    trust.state === "new"
      ? t("The project configures the MCP server {0}:", server.name)
      : t("The project's MCP server {0} changed since you approved it:", server.name);
  const content = trust.state === "new" ? trust.content : withChanges(trust);
  return `${heading} ${place}\n${withoutControls(indented(content))}\n`;
}

/** The whole content, with what was removed and added marked. */
function withChanges({ before, content }: Extract<AskedTrust, { state: "changed" }>): string {
  const context = before.split("\n").length + content.split("\n").length;
  const diff = unifiedDiff(before, content, { context });
  return diff === "" ? content : diff.split("\n").slice(1).join("\n");
}

/** Whether the user approves. */
export function askTrust(
  terminal: Pick<Terminal, "ask">,
  t: Translate,
  signal: AbortSignal,
): Promise<boolean> {
  return askYes(terminal, t, t("Start this server, now and in future sessions?"), signal);
}

/** For a host without a user to ask. Ends with a line feed. */
export function howToApprove(name: string, t: Translate): string {
  return `${t("The project's MCP server {0} does not start without your approval. To approve it: {1}", name, `nekode mcp add --project ${name}`)}\n`;
}
