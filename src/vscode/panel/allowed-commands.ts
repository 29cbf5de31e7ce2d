/** Lists what the user allowed on approvals, and removes the entries that the user selects. */
import * as vscode from "vscode";
import type { AllowedEntry, AllowScope } from "../../shared/permission/levels.ts";
import { openSettings } from "../editor-settings.ts";

interface Allowed {
  list(): Promise<AllowedEntry[]>;
  remove(entry: AllowedEntry): Promise<void>;
}

const scopeText = (scope: AllowScope) =>
  ({
    session: vscode.l10n.t("this session"),
    workspace: vscode.l10n.t("this workspace"),
    always: vscode.l10n.t("always"),
  })[scope];

export async function manageAllowed(allowances: Allowed): Promise<void> {
  const entries = await allowances.list();
  if (entries.length === 0) {
    const open = vscode.l10n.t("Open Settings");
    const text = vscode.l10n.t(
      "You have not allowed any commands. When a command asks for approval, you can choose a scope next to the button.",
    );
    if ((await vscode.window.showInformationMessage(text, open)) === open)
      await openSettings("nekode.commands.allow");
    return;
  }
  const items = entries.map((allowed) => ({
    allowed,
    label: allowed.entry,
    description: scopeText(allowed.scope),
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: vscode.l10n.t("Allowed commands"),
    placeHolder: vscode.l10n.t("Select what should require approval again"),
  });
  for (const { allowed } of chosen ?? []) await allowances.remove(allowed);
}
