/** The part of VS Code's built-in Git extension that is used; version 1 of its API. */
import * as vscode from "vscode";

export interface GitRepository {
  rootUri: vscode.Uri;
  /** The message of the next commit. */
  inputBox: { value: string };
  /** Whether the Source Control view shows the repository as the current one. */
  ui: { selected: boolean };
}

export interface GitRepositories {
  repositories: readonly GitRepository[];
  /** The repository that contains the file or has this top folder. */
  getRepository(uri: vscode.Uri): GitRepository | null;
}

interface GitExtension {
  /** False where Git is turned off in the settings; `getAPI` throws then. */
  enabled: boolean;
  getAPI(version: 1): GitRepositories;
}

/** undefined: the extension is disabled, or Git is turned off in the settings. */
export async function gitRepositories(): Promise<GitRepositories | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>("vscode.git");
  const git = extension && (extension.isActive ? extension.exports : await extension.activate());
  return git?.enabled ? git.getAPI(1) : undefined;
}
