import type * as vscode from "vscode";
import type { Log } from "../core/ports/system.ts";
import { withoutSecrets } from "../core/secrets.ts";

/** Logs to the output channel "Nekode". Never writes `secrets`, because an endpoint's answer may repeat the key. */
export function createLog(
  channel: Pick<vscode.LogOutputChannel, "info" | "error">,
  secrets: () => Iterable<string>,
): Log {
  const without = (text: string) => withoutSecrets(text, secrets());
  return {
    info: (text) => channel.info(without(text)),
    error(text, cause) {
      const why = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
      channel.error(without(cause === undefined ? text : `${text}: ${why}`));
    },
  };
}
