/** What the terminal says about a server. */

import type { ServerFailure } from "../../core/servers/server-error.ts";
import type { ConfigProblem } from "../../core/servers/server-types.ts";
import { reasonWords } from "../../shared/words/reasons/reasons.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import { oneLine, withoutControls } from "../screen.ts";

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
