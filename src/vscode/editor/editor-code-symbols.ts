/** The `CodeSymbols` port on the language servers of VS Code. */
import * as vscode from "vscode";
import type {
  CodeSymbols,
  NamedSymbol,
  OfferedAction,
  SymbolCalls,
  SymbolChange,
  SymbolLocation,
  SymbolState,
  TextPosition,
  TextSpan,
} from "../../core/ports/symbols.ts";
import * as z from "../../shared/zod.ts";
import { askServers, type LanguageServers, opened } from "./language-servers.ts";
import { workspaceSymbols } from "./reported-symbols.ts";

/** Actions for which the editor asks the server what they change. */
const RESOLVED_ACTIONS = 30;

export class EditorCodeSymbols implements CodeSymbols {
  readonly #servers: LanguageServers;

  constructor(servers: LanguageServers) {
    this.#servers = servers;
  }

  state(path: string | undefined, signal: AbortSignal): Promise<SymbolState> {
    return path === undefined ? this.#servers.stateOfWorkspace(signal) : this.#servers.stateOf(path, signal);
  }

  async find(query: string, signal: AbortSignal): Promise<NamedSymbol[]> {
    const found = await askServers<vscode.SymbolInformation[]>(
      signal,
      "vscode.executeWorkspaceSymbolProvider",
      query,
    );
    return workspaceSymbols(found ?? []).map(({ name, container, symbol: { kind, location } }) => ({
      ...{ name, container, kind: kindOf(kind) },
      ...{ path: location.uri.fsPath, span: spanOf(location.range) },
    }));
  }

  references(path: string, at: TextPosition, signal: AbortSignal): Promise<SymbolLocation[]> {
    return locations("vscode.executeReferenceProvider", path, at, signal);
  }

  definition(path: string, at: TextPosition, signal: AbortSignal): Promise<SymbolLocation[]> {
    return locations("vscode.executeDefinitionProvider", path, at, signal);
  }

  implementations(path: string, at: TextPosition, signal: AbortSignal): Promise<SymbolLocation[]> {
    return locations("vscode.executeImplementationProvider", path, at, signal);
  }

  async callers(path: string, at: TextPosition, signal: AbortSignal): Promise<SymbolCalls[]> {
    const all: SymbolCalls[] = [];
    for (const item of await hierarchy(path, at, signal)) {
      const calls = await askServers<vscode.CallHierarchyIncomingCall[]>(
        signal,
        "vscode.provideIncomingCalls",
        item,
      );
      for (const { from, fromRanges } of calls ?? []) all.push(...callsOf(from, from.uri, fromRanges));
    }
    return all;
  }

  async callees(path: string, at: TextPosition, signal: AbortSignal): Promise<SymbolCalls[]> {
    const all: SymbolCalls[] = [];
    for (const item of await hierarchy(path, at, signal)) {
      const calls = await askServers<vscode.CallHierarchyOutgoingCall[]>(
        signal,
        "vscode.provideOutgoingCalls",
        item,
      );
      for (const { to, fromRanges } of calls ?? []) all.push(...callsOf(to, item.uri, fromRanges));
    }
    return all;
  }

  async rename(path: string, at: TextPosition, name: string, signal: AbortSignal): Promise<SymbolChange> {
    const edit = await askServers<vscode.WorkspaceEdit>(
      signal,
      "vscode.executeDocumentRenameProvider",
      vscode.Uri.file(path),
      positionOf(at),
      name,
    );
    return edit ? changeOf(edit) : { files: [], hasOthers: false };
  }

  async actions(path: string, span: TextSpan, signal: AbortSignal): Promise<OfferedAction[]> {
    const actions = await codeActions(path, span, signal);
    return actions.map(({ title, kind }) => ({ title, kind: kind?.value ?? "" }));
  }

  async actionChange(
    path: string,
    span: TextSpan,
    { title, kind }: OfferedAction,
    signal: AbortSignal,
  ): Promise<SymbolChange | undefined> {
    const actions = await codeActions(path, span, signal, kind);
    const action = actions.find((each) => each.title === title && (each.kind?.value ?? "") === kind);
    if (!action?.edit || action.edit.size === 0) return undefined;
    const command = action.command?.command;
    return { ...(await changeOf(action.edit)), ...(command === undefined ? {} : { command }) };
  }
}

/** `kind`: only those of this kind, with what they change. Actions that do not apply here are left out. */
async function codeActions(
  path: string,
  span: TextSpan,
  signal: AbortSignal,
  kind?: string,
): Promise<vscode.CodeAction[]> {
  // Without its document, the editor offers nothing for a file.
  await opened(path);
  const actions = await askServers<(vscode.CodeAction | vscode.Command)[]>(
    signal,
    "vscode.executeCodeActionProvider",
    vscode.Uri.file(path),
    new vscode.Range(positionOf(span.start), positionOf(span.end)),
    ...(kind === undefined || kind === "" ? [] : [kind, RESOLVED_ACTIONS]),
  );
  return (actions ?? []).filter(
    (action): action is vscode.CodeAction =>
      typeof action.command !== "string" && !("disabled" in action && action.disabled),
  );
}

async function locations(
  command: string,
  path: string,
  at: TextPosition,
  signal: AbortSignal,
): Promise<SymbolLocation[]> {
  const found = await askServers<(vscode.Location | vscode.LocationLink)[]>(
    signal,
    command,
    vscode.Uri.file(path),
    positionOf(at),
  );
  return (found ?? []).flatMap((place) =>
    "targetUri" in place
      ? locationIn(place.targetUri, place.targetSelectionRange ?? place.targetRange)
      : locationIn(place.uri, place.range),
  );
}

async function hierarchy(
  path: string,
  at: TextPosition,
  signal: AbortSignal,
): Promise<vscode.CallHierarchyItem[]> {
  const items = await askServers<vscode.CallHierarchyItem[]>(
    signal,
    "vscode.prepareCallHierarchy",
    vscode.Uri.file(path),
    positionOf(at),
  );
  return items ?? [];
}

function callsOf(
  { name, detail, kind, uri, selectionRange }: vscode.CallHierarchyItem,
  sitesIn: vscode.Uri,
  ranges: readonly vscode.Range[],
): SymbolCalls[] {
  return locationIn(uri, selectionRange).map((place) => ({
    symbol: { ...place, name, kind: kindOf(kind), container: detail ?? "" },
    sites: ranges.flatMap((range) => locationIn(sitesIn, range)),
  }));
}

/** Only files on disk are places that tools can read. */
function locationIn(uri: vscode.Uri, range: vscode.Range): SymbolLocation[] {
  return uri.scheme === "file" ? [{ path: uri.fsPath, span: spanOf(range) }] : [];
}

/** All parts of an edit, of which the editor's interface shows only those that edit text: 2 is the type of these. */
const partsSchema = z.array(z.object({ _type: z.number() }));
const TEXT_PART = 2;

async function changeOf(edit: vscode.WorkspaceEdit): Promise<SymbolChange> {
  const parts = partsSchema.safeParse(Reflect.get(edit, "_edits"));
  let hasOthers = parts.success && parts.data.some(({ _type }) => _type !== TEXT_PART);
  const files: SymbolChange["files"] = [];
  for (const [uri, edits] of edit.entries()) {
    const document = uri.scheme === "file" ? await opened(uri.fsPath) : undefined;
    if (document === undefined) {
      hasOthers = true;
      continue;
    }
    files.push({
      path: uri.fsPath,
      text: document.getText(),
      edits: edits.map(({ range, newText }) => ({ span: spanOf(range), text: newText })),
    });
  }
  return { files, hasOthers };
}

function kindOf(kind: vscode.SymbolKind): string {
  return vscode.SymbolKind[kind]?.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase() ?? "symbol";
}

const positionOf = ({ line, column }: TextPosition) => new vscode.Position(line, column);

const spanOf = ({ start, end }: vscode.Range): TextSpan => ({
  start: { line: start.line, column: start.character },
  end: { line: end.line, column: end.character },
});
