/** What language servers answer, as far as it is read, in the shapes of the protocol. Positions count UTF-16 code units from 0. */
import { fileURLToPath } from "node:url";
import type { NamedSymbol, SymbolLocation, TextPosition, TextSpan } from "../../core/ports/symbols.ts";
import * as z from "../../shared/zod.ts";

const position = z.object({ line: z.int().check(z.gte(0)), character: z.int().check(z.gte(0)) });
export const rangeSchema = z.object({ start: position, end: position });
export type LspRange = z.infer<typeof rangeSchema>;

const locationSchema = z.object({ uri: z.string(), range: rangeSchema });
const linkSchema = z.object({ targetUri: z.string(), targetSelectionRange: rangeSchema });
const placeSchema = z.union([locationSchema, linkSchema]);
export const placesSchema = z.nullish(z.union([z.array(placeSchema), placeSchema]));

const symbolSchema = z.object({
  name: z.string(),
  kind: z.number(),
  containerName: z.nullish(z.string()),
  location: z.object({ uri: z.string(), range: z.optional(rangeSchema) }),
});
export const symbolsSchema = z.nullish(z.array(symbolSchema));

const itemSchema = z.looseObject({
  name: z.string(),
  kind: z.number(),
  detail: z.nullish(z.string()),
  uri: z.string(),
  range: rangeSchema,
  selectionRange: rangeSchema,
});
export type CallItem = z.infer<typeof itemSchema>;
export const itemsSchema = z.nullish(z.array(itemSchema));
const fromRanges = z.array(rangeSchema);
export const incomingSchema = z.nullish(z.array(z.object({ from: itemSchema, fromRanges })));
export const outgoingSchema = z.nullish(z.array(z.object({ to: itemSchema, fromRanges })));

const textEditSchema = z.object({ range: rangeSchema, newText: z.string() });
const documentEditSchema = z.object({
  textDocument: z.object({ uri: z.string() }),
  edits: z.array(z.union([textEditSchema, z.object({ range: rangeSchema, snippet: z.unknown() })])),
});
const fileOperationSchema = z.object({ kind: z.enum(["create", "rename", "delete"]) });
export const workspaceEditSchema = z.object({
  changes: z.nullish(z.record(z.string(), z.array(textEditSchema))),
  documentChanges: z.nullish(z.array(z.union([documentEditSchema, fileOperationSchema]))),
});
export type LspWorkspaceEdit = z.infer<typeof workspaceEditSchema>;
export const renameSchema = z.nullish(workspaceEditSchema);

/** Only the properties that are needed; an action goes back to the server as it came. */
export const actionSchema = z.looseObject({
  title: z.string(),
  kind: z.nullish(z.string()),
  disabled: z.optional(z.unknown()),
  edit: z.nullish(workspaceEditSchema),
  command: z.optional(z.unknown()),
});
export type LspAction = z.infer<typeof actionSchema>;
export const actionsSchema = z.nullish(z.array(actionSchema));
export const commandSchema = z.object({ command: z.string() });

export const diagnosticSchema = z.looseObject({ range: rangeSchema });
export type LspDiagnostic = z.infer<typeof diagnosticSchema>;
export const publishedSchema = z.object({ uri: z.string(), diagnostics: z.array(diagnosticSchema) });
export const reportSchema = z.object({ items: z.optional(z.array(diagnosticSchema)) });

/** Each is an object of options, or a boolean. */
const provider = z.optional(z.unknown());
export const initializedSchema = z.object({
  capabilities: z.looseObject({
    positionEncoding: z.optional(z.string()),
    codeActionProvider: z.optional(
      z.union([z.boolean(), z.looseObject({ resolveProvider: z.optional(z.boolean()) })]),
    ),
    documentSymbolProvider: provider,
    diagnosticProvider: provider,
  }),
});
export type ServerCapabilities = z.infer<typeof initializedSchema>["capabilities"];

export const progressSchema = z.object({
  token: z.union([z.string(), z.number()]),
  value: z.object({ kind: z.enum(["begin", "report", "end"]), title: z.optional(z.string()) }),
});
/** rust-analyzer tells with it whether it has finished loading. */
export const loadStateSchema = z.object({ quiescent: z.boolean() });
export const configurationSchema = z.object({
  items: z.array(z.object({ section: z.nullish(z.string()) })),
});
export const registrationsSchema = z.object({
  registrations: z.array(
    z.object({ id: z.string(), method: z.string(), registerOptions: z.optional(z.unknown()) }),
  ),
});
export const unregistrationsSchema = z.object({
  unregisterations: z.array(z.object({ id: z.string(), method: z.string() })),
});
export const watchersSchema = z.object({
  watchers: z.array(z.object({ globPattern: z.union([z.string(), z.object({ pattern: z.string() })]) })),
});

/** The names of the protocol's kinds, from 1. */
const KINDS = [
  ...["file", "module", "namespace", "package", "class", "method", "property", "field", "constructor"],
  ...["enum", "interface", "function", "variable", "constant", "string", "number", "boolean", "array"],
  ...["object", "key", "null", "enum member", "struct", "event", "operator", "type parameter"],
];
export const SYMBOL_KINDS = KINDS.map((_, index) => index + 1);

const kindName = (kind: number): string => KINDS[kind - 1] ?? "symbol";

export function spanOf({ start, end }: LspRange): TextSpan {
  return {
    start: { line: start.line, column: start.character },
    end: { line: end.line, column: end.character },
  };
}

export const positionOf = ({ line, column }: TextPosition) => ({ line, character: column });

export const rangeOf = ({ start, end }: TextSpan): LspRange => ({
  start: positionOf(start),
  end: positionOf(end),
});

/** The absolute path of a file on this disk; undefined: the address is of something else. */
export function pathOf(uri: string): string | undefined {
  if (!/^file:\/\/\//i.test(uri)) return undefined;
  try {
    return fileURLToPath(uri);
  } catch (error) {
    // An address such as one with an encoded slash names no file.
    if (error instanceof TypeError || error instanceof URIError) return undefined;
    throw error;
  }
}

/** Only files on disk are places that tools can read. */
export function locationIn(uri: string, range: LspRange): SymbolLocation[] {
  const path = pathOf(uri);
  return path === undefined ? [] : [{ path, span: spanOf(range) }];
}

export function locationsIn(places: z.infer<typeof placesSchema>): SymbolLocation[] {
  const all = Array.isArray(places) ? places : places ? [places] : [];
  return all.flatMap((place) =>
    "targetUri" in place
      ? locationIn(place.targetUri, place.targetSelectionRange)
      : locationIn(place.uri, place.range),
  );
}

const FILE_START: LspRange = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** Without those of dependencies. */
export function namedSymbols(found: z.infer<typeof symbolsSchema>): NamedSymbol[] {
  return (found ?? []).flatMap(({ name, kind, containerName, location: { uri, range = FILE_START } }) =>
    locationIn(uri, range)
      .filter(({ path }) => !/[\\/]node_modules[\\/]/.test(path))
      .map((place) => ({ ...place, name, kind: kindName(kind), container: containerName ?? "" })),
  );
}

export function calledSymbol({ name, kind, detail, uri, selectionRange }: CallItem): NamedSymbol[] {
  return locationIn(uri, selectionRange).map((place) => ({
    ...place,
    ...{ name, kind: kindName(kind), container: detail ?? "" },
  }));
}
