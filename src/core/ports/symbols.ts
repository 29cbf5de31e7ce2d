/**
 * The port that knows the program's symbols, as the language servers of an editor do. Lines and columns are 0-based, columns in UTF-16
 * code units. Nothing that it does opens a tab or takes the focus, and it changes no file.
 */

export interface TextPosition {
  line: number;
  column: number;
}

export interface TextSpan {
  start: TextPosition;
  end: TextPosition;
}

/** `path` is absolute. */
export interface SymbolLocation {
  path: string;
  span: TextSpan;
}

export interface NamedSymbol extends SymbolLocation {
  name: string;
  /** In English and lower case, such as `method`. */
  kind: string;
  /** The symbol that contains it; "": none. */
  container: string;
}

export interface SymbolCalls {
  /** What calls the symbol, or what it calls. */
  symbol: NamedSymbol;
  /** Where the calls are. */
  sites: SymbolLocation[];
}

/**
 * ready: an empty answer means that there is nothing. starting: it means nothing, and others may be incomplete. none: nothing here knows the
 * language.
 */
export type SymbolState = "ready" | "starting" | "none";

export interface FileEdits {
  /** Absolute. */
  path: string;
  /** The text of the file for which the edits were made. */
  text: string;
  /** They do not overlap. */
  edits: { span: TextSpan; text: string }[];
}

/** A change that a language server proposes. */
export interface SymbolChange {
  files: FileEdits[];
  /** It also contains something other than edits of text, such as a new or a renamed file. */
  hasOthers: boolean;
  /** A command of the editor that would follow, which is not run. */
  command?: string;
}

/** A quick fix or a refactoring. */
export interface OfferedAction {
  title: string;
  /** Such as `quickfix` or `refactor.extract.function`. */
  kind: string;
}

/** Each call rejects with ToolError if the language server fails or does not answer, and with Interrupt when the signal aborts. */
export interface CodeSymbols {
  /**
   * Whether the answers about the file at this absolute path are complete; undefined: those of `find`. Starts the language server and waits
   * some seconds for it.
   */
  state(path: string | undefined, signal: AbortSignal): Promise<SymbolState>;
  /** Symbols of the workspace whose name matches, best first. */
  find(query: string, signal: AbortSignal): Promise<NamedSymbol[]>;
  references(path: string, at: TextPosition, signal: AbortSignal): Promise<SymbolLocation[]>;
  definition(path: string, at: TextPosition, signal: AbortSignal): Promise<SymbolLocation[]>;
  implementations(path: string, at: TextPosition, signal: AbortSignal): Promise<SymbolLocation[]>;
  callers(path: string, at: TextPosition, signal: AbortSignal): Promise<SymbolCalls[]>;
  callees(path: string, at: TextPosition, signal: AbortSignal): Promise<SymbolCalls[]>;
  rename(path: string, at: TextPosition, name: string, signal: AbortSignal): Promise<SymbolChange>;
  actions(path: string, span: TextSpan, signal: AbortSignal): Promise<OfferedAction[]>;
  /** What the action changes; undefined: it only runs a command of the editor. */
  actionChange(
    path: string,
    span: TextSpan,
    action: OfferedAction,
    signal: AbortSignal,
  ): Promise<SymbolChange | undefined>;
}
