/** A language server in memory: a symbol is a word, declared where `function`, `class` or `const` precedes it. */
import type {
  CodeSymbols,
  FileEdits,
  NamedSymbol,
  OfferedAction,
  SymbolChange,
  SymbolLocation,
  SymbolState,
  TextPosition,
} from "../../src/core/ports/symbols.ts";

export interface MemoryCodeSymbols extends CodeSymbols {
  /** The states that it has, one question after another; the last one stays. Default: ready. */
  states: SymbolState[];
  /** In place of what it would answer. */
  places: SymbolLocation[] | undefined;
  offered: OfferedAction[];
  change: SymbolChange | undefined;
  /** Names of the questions, in order. */
  asked: string[];
}

const WORD = /[\w$]+/g;

/** `files`: absolute path to text. */
export function memoryCodeSymbols(files: ReadonlyMap<string, string>): MemoryCodeSymbols {
  const linesOf = (path: string) => (files.get(path) ?? "").split("\n");
  const wordAt = (path: string, { line, column }: TextPosition): string => {
    const words = (linesOf(path)[line] ?? "").matchAll(WORD);
    return (
      [...words].find(({ index, 0: word }) => index <= column && column < index + word.length)?.[0] ?? ""
    );
  };
  const all = (): (SymbolLocation & { word: string; kind: string | undefined })[] =>
    [...files.keys()].flatMap((path) =>
      linesOf(path).flatMap((text, line) =>
        [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
          ...{ path, word, kind: /\b(function|class|const) $/.exec(text.slice(0, index))?.[1] },
          span: { start: { line, column: index }, end: { line, column: index + word.length } },
        })),
      ),
    );
  const named = (word: string) => all().filter((each) => each.word === word);
  const symbolOf = ({ path, span, word, kind = "symbol" }: ReturnType<typeof all>[number]): NamedSymbol => ({
    ...{ path, span, name: word, kind, container: "" },
  });
  const port: MemoryCodeSymbols = {
    states: ["ready"],
    places: undefined,
    offered: [],
    change: undefined,
    asked: [],
    async state() {
      const [now = "ready"] = port.states;
      if (port.states.length > 1) port.states.shift();
      return now;
    },
    async find(query) {
      port.asked.push("find");
      return all()
        .filter(({ kind, word }) => kind !== undefined && word.startsWith(query))
        .map(symbolOf);
    },
    async references(path, at) {
      port.asked.push("references");
      return port.places ?? named(wordAt(path, at));
    },
    async definition(path, at) {
      port.asked.push("definition");
      return port.places ?? named(wordAt(path, at)).filter(({ kind }) => kind !== undefined);
    },
    async implementations() {
      port.asked.push("implementations");
      return port.places ?? [];
    },
    async callers(path, at) {
      port.asked.push("callers");
      const sites = named(wordAt(path, at)).filter(({ kind }) => kind === undefined);
      return sites.map((site) => ({ symbol: { ...symbolOf(site), name: "main" }, sites: [site] }));
    },
    async callees(path, at) {
      port.asked.push("callees");
      const found = named(wordAt(path, at)).filter(({ kind }) => kind !== undefined);
      return found.map((each) => ({ symbol: symbolOf(each), sites: [each] }));
    },
    async rename(path, at, name) {
      port.asked.push("rename");
      if (port.change) return port.change;
      const edits = new Map<string, FileEdits>();
      for (const place of named(wordAt(path, at))) {
        const text = files.get(place.path) ?? "";
        const file = edits.get(place.path) ?? { path: place.path, text, edits: [] };
        file.edits.push({ span: place.span, text: name });
        edits.set(place.path, file);
      }
      return { files: [...edits.values()], hasOthers: false };
    },
    async actions() {
      port.asked.push("actions");
      return port.offered;
    },
    async actionChange() {
      port.asked.push("actionChange");
      return port.change;
    },
  };
  return port;
}
