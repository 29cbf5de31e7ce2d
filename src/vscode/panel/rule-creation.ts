/** Creates a rule and opens it. */
import { mkdir, writeFile } from "node:fs/promises";
import * as path from "node:path";
import * as vscode from "vscode";
import type { Params } from "../../shared/protocol.ts";
import { workspace } from "../files/workspace-folders.ts";

interface RuleFolders {
  /** For all projects, absolute. */
  globalFolder: string;
  /** Relative to the workspace. */
  projectFolder: string;
}

/** Asks the user for its name. A file that already exists is opened unchanged. */
export async function createRule(rules: RuleFolders, place: Params<"rules/new">["place"]): Promise<void> {
  const folder = place === "global" ? rules.globalFolder : projectFolder(rules);
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t("New rule"),
    prompt: vscode.l10n.t("Name of the new file in {0}", folder),
    placeHolder: "testing",
    validateInput: (value) =>
      fileName(value) === undefined
        ? vscode.l10n.t("Use only letters, digits, spaces, “.”, “_” and “-”.")
        : null,
  });
  const file = name === undefined ? undefined : fileName(name);
  if (file === undefined) return;
  const target = path.join(folder, file);
  await mkdir(folder, { recursive: true });
  try {
    await writeFile(target, template(), { flag: "wx" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  await vscode.commands.executeCommand("vscode.open", vscode.Uri.file(target));
}

function projectFolder(rules: RuleFolders): string {
  if (workspace.root === undefined) throw new Error(vscode.l10n.t("Open a folder to create a project rule."));
  return path.join(workspace.root, rules.projectFolder);
}

function fileName(value: string): string | undefined {
  const name = value.trim().replace(/\.md$/i, "");
  return /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,99}$/u.test(name) ? `${name}.md` : undefined;
}

function template(): string {
  const condition = vscode.l10n.t(
    "To apply this rule to some files only, list their patterns. Without patterns, it always applies.",
  );
  return `---\n# ${condition}\n# paths: ["*.ts"]\n---\n\n`;
}
