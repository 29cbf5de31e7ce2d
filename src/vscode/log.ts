import type * as vscode from "vscode";
import type { Log } from "../core/ports.ts";

/** The output channel "Nekode". */
export function createLog(channel: vscode.LogOutputChannel): Log {
  return {
    info: (text) => channel.info(text),
    error(text, cause) {
      if (cause === undefined) channel.error(text);
      else
        channel.error(`${text}: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`);
    },
  };
}
