/** Symbols as the language extensions report them: a file's outline, and the workspace's index. */
import * as vscode from "vscode";
import type { SymbolRange } from "../../core/ports/surroundings.ts";
import { workspacePath } from "../files/workspace-folders.ts";
import { linesInRange } from "./selected-lines.ts";

/** undefined: no extension knows the language, or it failed. */
export async function documentOutline(uri: vscode.Uri): Promise<SymbolRange[] | undefined> {
  // Older extensions report a flat list without containers' ranges.
  const symbols = await vscode.commands.executeCommand<(vscode.DocumentSymbol | vscode.SymbolInformation)[]>(
    "vscode.executeDocumentSymbolProvider",
    uri,
  );
  return symbols?.flatMap((symbol) => placesOf(symbol, ""));
}

function placesOf(
  symbol: vscode.DocumentSymbol | vscode.SymbolInformation,
  container: string,
): SymbolRange[] {
  const inside = "location" in symbol ? symbol.containerName : container;
  const name = inside === "" ? symbol.name : `${inside}.${symbol.name}`;
  const range = "location" in symbol ? symbol.location.range : symbol.range;
  const children = "children" in symbol ? symbol.children : [];
  return [{ name, ...linesInRange(range) }, ...children.flatMap((child) => placesOf(child, name))];
}

/** Those in files of the workspace; empty if no extension has an index. */
export async function symbolsInWorkspace(query: string): Promise<(SymbolRange & { path: string })[]> {
  const symbols = await vscode.commands.executeCommand<vscode.SymbolInformation[]>(
    "vscode.executeWorkspaceSymbolProvider",
    query,
  );
  return workspaceSymbols(symbols ?? []).map(({ path, name, container, symbol }) => ({
    path,
    name: container === "" ? name : `${container}.${name}`,
    ...linesInRange(symbol.location.range),
  }));
}

interface WorkspaceSymbol {
  symbol: vscode.SymbolInformation;
  /** As `workspacePath`. */
  path: string;
  /** Without its container and parameters. */
  name: string;
  /** "": the symbol is at the top level of its file. */
  container: string;
}

/** Those of files of the workspace that are not dependencies. */
export function workspaceSymbols(symbols: readonly vscode.SymbolInformation[]): WorkspaceSymbol[] {
  return symbols.flatMap((symbol) => {
    const { name, containerName, location } = symbol;
    const path = workspacePath(location.uri.fsPath);
    if (location.uri.scheme !== "file" || path === location.uri.fsPath || path.includes("node_modules/"))
      return [];
    // The container of a top-level symbol is the module, which is not part of its name.
    const container = /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(containerName) ? containerName : "";
    // Some extensions report a name with its parameters.
    return [{ symbol, path, name: name.replace(/\(.*$/s, ""), container }];
  });
}
