/** Helps to install the `nekode` command. The extension does not contain the terminal host, which is a package of its own. */
import * as vscode from "vscode";
import { installationOf } from "./cli-package-file.ts";

/** Explains what happens, asks for the package, and types the command into a terminal. The user runs it. */
export async function installCommand(version: string): Promise<void> {
  const choose = vscode.l10n.t("Choose Package…");
  const detail = vscode.l10n.t(
    "It is a package for npm: nekode-cli-{0}.tgz, which comes with each release. After you choose the file, the command that installs it is typed into a terminal. It runs when you press Enter. It requires Node 20 or later.",
    version,
  );
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t("Install the nekode command, which runs Nekode in a terminal"),
    { modal: true, detail },
    choose,
  );
  if (answer !== choose) return;
  const [file] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t("Package of the nekode command"),
      filters: { "nekode-cli": ["tgz"] },
    })) ?? [];
  if (file === undefined) return;
  if (!typeInstallation(file))
    void vscode.window.showErrorMessage(
      vscode.l10n.t("This is not a package of the nekode command. Its name is nekode-cli-{0}.tgz.", version),
    );
}

/** Whether the file's name is that of the package. Nothing is run. */
export function typeInstallation(file: vscode.Uri): boolean {
  const installation = file.scheme === "file" ? installationOf(file.fsPath) : undefined;
  if (installation === undefined) return false;
  const terminal = vscode.window.createTerminal({ name: "nekode", cwd: installation.cwd });
  terminal.show();
  terminal.sendText(installation.command, false);
  return true;
}
