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
  return (symbols ?? []).flatMap(({ name, containerName, location: { uri, range } }) => {
    const path = workspacePath(uri.fsPath);
    if (uri.scheme !== "file" || path === uri.fsPath || path.includes("node_modules/")) return [];
    // A name with its parameters, as some extensions report it.
    const bare = name.replace(/\(.*$/s, "");
    // The container of a top-level symbol is the module, which is not part of its name.
    const inside = /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(containerName) ? `${containerName}.` : "";
    return [{ path, name: inside + bare, ...linesInRange(range) }];
  });
}
