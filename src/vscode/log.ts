import type * as vscode from "vscode";
import type { Log } from "../core/ports.ts";

/** Shorter ones stand in any text by accident. */
const shortestSecret = 6;

/** The output channel "Nekode". What an endpoint answers may repeat the key: `secrets` never come out. */
export function createLog(
  channel: Pick<vscode.LogOutputChannel, "info" | "error">,
  secrets: () => Iterable<string>,
): Log {
  const without = (text: string): string => {
    let safe = text;
    for (const secret of secrets())
      if (secret.length >= shortestSecret) safe = safe.replaceAll(secret, "***");
    return safe;
  };
  return {
    info: (text) => channel.info(without(text)),
    error(text, cause) {
      const why = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
      channel.error(without(cause === undefined ? text : `${text}: ${why}`));
    },
  };
}
