import type { ConfigProblem } from "../../core/servers/server-types.ts";
import { reasonWords } from "../../shared/words/reasons/reasons.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import { oneLine } from "../screen.ts";

/** A problem of a configuration file with its place, without a line feed at the end. */
export function problemLine({ file, line, server, reason }: ConfigProblem, t: Translate): string {
  const place = `${oneLine(file)}:${line}`;
  return `${place}: ${server === undefined ? "" : `${oneLine(server)}: `}${oneLine(reasonWords(t, reason))}`;
}
