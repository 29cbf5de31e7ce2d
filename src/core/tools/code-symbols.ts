import * as z from "../../shared/zod.ts";
import { ToolError } from "../errors.ts";
import type { CodeSymbols, SymbolCalls, SymbolLocation, SymbolState } from "../ports/symbols.ts";
import { symbolSpan } from "./symbols/symbol-address.ts";
import { type CodePlace, placesOutput } from "./symbols/symbol-report.ts";
import { defineTool, PATH_NAMES, type ToolContext, type ToolOutput, textOutput } from "./tool.ts";
import { displayPath, locatePath, statOf } from "./tool-paths.ts";

const OPERATIONS = ["find", "references", "definition", "implementations", "callers", "callees"] as const;
type Operation = (typeof OPERATIONS)[number];

/** What one operation finds, in the singular and the plural. */
const FOUND: Readonly<Record<Operation, readonly [one: string, many: string]>> = {
  find: ["symbol", "symbols"],
  references: ["line with references", "lines with references"],
  definition: ["definition", "definitions"],
  implementations: ["implementation", "implementations"],
  callers: ["line with calls", "lines with calls"],
  callees: ["called symbol", "called symbols"],
};

export const codeSymbols = defineTool({
  name: "code_symbols",
  paramNames: {
    path: PATH_NAMES,
    symbol: ["text", "name", "identifier", "symbol_name"],
    line: ["line_number", "start_line"],
    query: ["pattern", "search"],
    operation: ["action", "op"],
  },
  presentation: {
    icon: "symbol",
    title: { doing: "Looking up", done: "Looked up" },
    titles: {
      find: { doing: "Finding the symbol", done: "Found the symbol" },
      references: { doing: "Finding references of", done: "Found references of" },
      definition: { doing: "Finding the definition of", done: "Found the definition of" },
      implementations: { doing: "Finding implementations of", done: "Found implementations of" },
      callers: { doing: "Finding calls of", done: "Found calls of" },
      callees: { doing: "Finding calls in", done: "Found calls in" },
    },
    row: "tool",
    found: { one: "1 match", many: "{0} matches" },
  },
  access: "read",
  needs: "codeSymbols",
  description:
    "Asks the editor's language servers about a symbol. More exact than search_files for names in code.",
  guide: {
    description:
      "Asks the editor's language servers where a symbol is declared and used. The result has exactly the places that mean this symbol, where search_files has every line with the same letters. Use it before you change something that is used elsewhere.",
    params: {
      operation:
        "find: symbols of the project by name. references, definition, implementations: of one symbol. callers, callees: what calls a function, and what it calls.",
      query: "For find: the name, or its beginning.",
      path: "For all others: the file in which the symbol stands.",
      line: "The symbol's line in that file. Needed if the name is on several lines.",
      symbol:
        "The symbol's name as it stands on the line. If that is not unique on the line, more of the line, from the name on.",
      offset: "Continues a result that was too long.",
    },
  },
  schema: z.object({
    operation: z.enum(OPERATIONS).check(z.describe("find by name; the others are of one symbol.")),
    query: z.optional(z.string()).check(z.describe("For find: the name or its beginning.")),
    path: z.optional(z.string()).check(z.describe("For others: the file with the symbol.")),
    line: z.optional(z.int().check(z.gte(1))).check(z.describe("Its line.")),
    symbol: z.optional(z.string()).check(z.describe("Its name, or more of the line from the name on.")),
    offset: z.optional(z.int().check(z.gte(0))).check(z.describe("Continues a long result.")),
  }),
  subject: ({ operation, query, symbol, path }) =>
    [operation, query ?? symbol ?? path].filter((part) => typeof part === "string").join(" "),
  async prepare({ operation, query, path: named, line, symbol, offset = 0 }, context) {
    const { codeSymbols: symbols, workspace } = context.host;
    if (!symbols) throw new ToolError(NOT_HERE);
    if (operation === "find") {
      if (query === undefined || query.trim() === "")
        throw new ToolError("find needs the parameter query: the name of the symbol, or its beginning.");
      return {
        paths: [],
        view: {},
        run: ({ signal }) => findOutput(context, symbols, { query: query.trim(), offset, signal }),
      };
    }
    if (named === undefined || symbol === undefined)
      throw new ToolError(
        `${operation} needs the parameters path and symbol: the file in which the symbol stands, and its name there.`,
      );
    const path = await locatePath(context.host, named);
    const shown = displayPath(workspace, path);
    return {
      paths: [{ path, access: "read" }],
      view: { path: shown },
      async run({ signal }) {
        if ((await statOf(context, path)).kind !== "file")
          throw new ToolError(`${shown} is not a file. Use find to look for a symbol in all files.`);
        const { text } = await context.host.files.readText(path);
        const { start } = symbolSpan(text, { shown, line, symbol });
        const state = await symbols.state(path, signal);
        if (state === "none")
          return textOutput(
            `No language server that is running knows the symbols of ${shown}. Use search_files.`,
            { text: "0" },
          );
        const places = await placesFor(symbols, operation, { path, at: start, signal });
        return describe(context, { operation, places, state, offset, subject: `${symbol} in ${shown}` });
      },
    };
  },
});

const NOT_HERE = "Symbols are not available in this folder. Use search_files.";

/** Sentences about an answer that may be incomplete. */
const NOT_KNOWN =
  "Not known yet: the language server is still starting, so its empty answer means nothing. Call code_symbols again later, or use search_files.";
const MAY_BE_MORE = "The language server is still starting: there may be more.";

async function findOutput(
  context: ToolContext,
  symbols: CodeSymbols,
  { query, offset, signal }: { query: string; offset: number; signal: AbortSignal },
): Promise<ToolOutput> {
  const state = await symbols.state(undefined, signal);
  const found = state === "none" ? [] : await symbols.find(query, signal);
  const places = found.map(({ path, span, kind, container }) => ({
    path,
    line: span.start.line,
    note: container === "" ? kind : `${kind} in ${container}`,
  }));
  if (state === "none" && places.length === 0)
    return textOutput(
      "No language server that is running knows the symbols of this project. Use search_files.",
      { text: "0" },
    );
  return describe(context, { operation: "find", places, state, offset, subject: query });
}

async function describe(
  context: ToolContext,
  found: { operation: Operation; places: CodePlace[]; state: SymbolState; offset: number; subject: string },
): Promise<ToolOutput> {
  const { operation, places, state, offset, subject } = found;
  const [one, many] = FOUND[operation];
  if (places.length === 0)
    return state === "ready"
      ? textOutput(`The language server knows no ${many} for ${subject}.`, { text: "0" })
      : textOutput(NOT_KNOWN, { text: "0" });
  return placesOutput(context, places, {
    summary: (lines, files) =>
      `${lines} ${lines === 1 ? one : many} in ${files} file${files === 1 ? "" : "s"}`,
    offset,
    notes: state === "ready" ? [] : [MAY_BE_MORE],
  });
}

interface Asked {
  path: string;
  at: SymbolLocation["span"]["start"];
  signal: AbortSignal;
}

async function placesFor(
  symbols: CodeSymbols,
  operation: Exclude<Operation, "find">,
  { path, at, signal }: Asked,
): Promise<CodePlace[]> {
  switch (operation) {
    case "callers":
      return callPlaces(await symbols.callers(path, at, signal));
    case "callees":
      return (await symbols.callees(path, at, signal)).map(({ symbol, sites }) => ({
        ...placeOf(symbol),
        note: `${symbol.name}, called on line ${sites.map(({ span }) => span.start.line + 1).join(", ")}`,
      }));
    case "references":
    case "definition":
    case "implementations":
      return (await symbols[operation](path, at, signal)).map(placeOf);
  }
}

const placeOf = ({ path, span }: SymbolLocation): CodePlace => ({ path, line: span.start.line });

/** The lines that call, each with the function that contains it. */
function callPlaces(calls: readonly SymbolCalls[]): CodePlace[] {
  return calls.flatMap(({ symbol, sites }) =>
    sites.map((site) => ({ ...placeOf(site), note: `in ${symbol.name}` })),
  );
}
