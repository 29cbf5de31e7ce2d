/** Asks for values that the configuration of an MCP server refers to. */
import * as vscode from "vscode";
import type { AskInput } from "../../core/servers/server-inputs.ts";
import { visible } from "../../shared/visible.ts";

/** The texts of the configuration are a workspace's, so invisible characters in them are made visible. */
export const askInput: AskInput = async (server, input, signal) => {
  const dismissed = new vscode.CancellationTokenSource();
  const onAbort = () => dismissed.cancel();
  signal.addEventListener("abort", onAbort, { once: true });
  const title = vscode.l10n.t("MCP server {0}", visible(server.name));
  const prompt = visible(input.description === "" ? input.id : input.description);
  try {
    if (input.options) {
      const options = input.options.map((option) => ({ label: visible(option), option }));
      const chosen = await vscode.window.showQuickPick(
        options,
        { title, placeHolder: prompt, ignoreFocusOut: true },
        dismissed.token,
      );
      return chosen?.option;
    }
    return await vscode.window.showInputBox(
      {
        title,
        prompt,
        password: input.password,
        ignoreFocusOut: true,
        ...(input.default === undefined ? {} : { value: input.default }),
      },
      dismissed.token,
    );
  } finally {
    signal.removeEventListener("abort", onAbort);
    dismissed.dispose();
  }
};
