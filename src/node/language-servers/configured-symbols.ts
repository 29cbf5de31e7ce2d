/** The `CodeSymbols` port on the language servers that the user configured. Each starts when it is first asked about a file of its own. */
import path from "node:path";
import type { LanguageServerDefinition } from "../../core/language-servers/language-server-file.ts";
import type { Files } from "../../core/ports/files.ts";
import type { Search } from "../../core/ports/search.ts";
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
import { within } from "../clock.ts";
import type { CoreErrors } from "./core-errors.ts";
import { extensionOf, LanguageClient, type LanguageClientParts, uriOf } from "./language-client.ts";
import {
  actionSchema,
  actionsSchema,
  type CallItem,
  calledSymbol,
  commandSchema,
  incomingSchema,
  itemsSchema,
  type LspAction,
  type LspDiagnostic,
  type LspRange,
  type LspWorkspaceEdit,
  locationIn,
  locationsIn,
  namedSymbols,
  outgoingSchema,
  pathOf,
  placesSchema,
  positionOf,
  rangeOf,
  renameSchema,
  reportSchema,
  spanOf,
  symbolsSchema,
} from "./lsp-shapes.ts";
import { WatchedFiles } from "./watched-files.ts";

/** Times that a server which ended is started again. */
const MOST_RESTARTS = 3;
/** Files that are opened so that their server loads their project. */
const MOST_SAMPLES = 3;

export interface ConfiguredSymbolsParts {
  servers: readonly LanguageServerDefinition[];
  root: string;
  files: Pick<Files, "stat" | "readText">;
  search: Pick<Search, "files">;
  errors: CoreErrors;
  /** Milliseconds to wait for a server that is starting. */
  startMs: number;
  /** What a server needs to start in the folder. Throws ToolError if its program is not there. */
  start(server: LanguageServerDefinition): Omit<LanguageClientParts, "files" | "errors">;
}

interface Running {
  client: LanguageClient;
  starts: number;
}

export class ConfiguredSymbols implements CodeSymbols {
  readonly #parts: ConfiguredSymbolsParts;
  readonly #running = new Map<LanguageServerDefinition, Running>();
  readonly #watched: WatchedFiles;
  #telling: Promise<void> | undefined;
  #isClosed = false;

  constructor(parts: ConfiguredSymbolsParts) {
    this.#parts = parts;
    this.#watched = new WatchedFiles(parts.root, parts.search);
  }

  async state(file: string | undefined, signal: AbortSignal): Promise<SymbolState> {
    return file === undefined ? this.#stateOfWorkspace(signal) : this.#stateOf(file, signal);
  }

  async find(query: string, signal: AbortSignal): Promise<NamedSymbol[]> {
    const clients = [...this.#running.values()].filter(({ client }) => client.end === undefined);
    const found = await Promise.all(
      clients
        .filter(({ client }) => client.has("workspaceSymbolProvider"))
        .map(({ client }) =>
          client.ask(
            { method: "workspace/symbol", capability: "workspaceSymbolProvider", params: { query } },
            symbolsSchema,
            signal,
          ),
        ),
    );
    return found.flatMap(namedSymbols);
  }

  async references(file: string, at: TextPosition, signal: AbortSignal): Promise<SymbolLocation[]> {
    const params = { ...placeOf(file, at), context: { includeDeclaration: true } };
    return this.#locations(
      file,
      { method: "textDocument/references", capability: "referencesProvider", params },
      signal,
    );
  }

  async definition(file: string, at: TextPosition, signal: AbortSignal): Promise<SymbolLocation[]> {
    const params = placeOf(file, at);
    return this.#locations(
      file,
      { method: "textDocument/definition", capability: "definitionProvider", params },
      signal,
    );
  }

  async implementations(file: string, at: TextPosition, signal: AbortSignal): Promise<SymbolLocation[]> {
    const params = placeOf(file, at);
    return this.#locations(
      file,
      { method: "textDocument/implementation", capability: "implementationProvider", params },
      signal,
    );
  }

  async callers(file: string, at: TextPosition, signal: AbortSignal): Promise<SymbolCalls[]> {
    return this.#calls(file, at, signal, async (client, item) => {
      const calls = await client.ask(
        { ...CALLS, method: "callHierarchy/incomingCalls", params: { item } },
        incomingSchema,
        signal,
      );
      return (calls ?? []).flatMap(({ from, fromRanges }) => callsOf(from, from.uri, fromRanges));
    });
  }

  async callees(file: string, at: TextPosition, signal: AbortSignal): Promise<SymbolCalls[]> {
    return this.#calls(file, at, signal, async (client, item) => {
      const calls = await client.ask(
        { ...CALLS, method: "callHierarchy/outgoingCalls", params: { item } },
        outgoingSchema,
        signal,
      );
      return (calls ?? []).flatMap(({ to, fromRanges }) => callsOf(to, item.uri, fromRanges));
    });
  }

  async rename(file: string, at: TextPosition, newName: string, signal: AbortSignal): Promise<SymbolChange> {
    const client = await this.#asked(file, signal);
    const params = { ...placeOf(file, at), newName };
    const edit = await client.ask(
      { method: "textDocument/rename", capability: "renameProvider", params },
      renameSchema,
      signal,
    );
    return edit ? this.#changeOf(client, edit) : { files: [], hasOthers: false };
  }

  async actions(file: string, span: TextSpan, signal: AbortSignal): Promise<OfferedAction[]> {
    const client = await this.#asked(file, signal);
    return (await this.#actionsAt(client, file, span, signal)).map(({ title, kind }) => ({
      title,
      kind: kind ?? "",
    }));
  }

  async actionChange(
    file: string,
    span: TextSpan,
    { title, kind }: OfferedAction,
    signal: AbortSignal,
  ): Promise<SymbolChange | undefined> {
    const client = await this.#asked(file, signal);
    const actions = await this.#actionsAt(client, file, span, signal);
    const found = actions.find((each) => each.title === title && (each.kind ?? "") === kind);
    if (!found) return undefined;
    const action = found.edit ? found : await resolved(client, found, signal);
    if (!action.edit) return undefined;
    const change = await this.#changeOf(client, action.edit);
    if (change.files.length === 0 && !change.hasOthers) return undefined;
    const command = commandSchema.safeParse(action.command).data?.command;
    return { ...change, ...(command === undefined ? {} : { command }) };
  }

  /** Ends all servers. Resolves when none of their processes is left. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#running.values()].map(({ client }) => client.close()));
  }

  async #stateOf(file: string, signal: AbortSignal): Promise<SymbolState> {
    const server = this.#serverFor(file);
    if (!server) return "none";
    const deadline = performance.now() + this.#parts.startMs;
    const left = () => Math.max(0, deadline - performance.now());
    const { client } = this.#start(server);
    if ((await within(this.#until(client.started, signal), left())) === "late") return "starting";
    await this.#tell(signal);
    await client.open(file);
    return (await client.settled(file, left(), signal)) ? "ready" : "starting";
  }

  /** Most servers know the files of a project once one of them is open. */
  async #stateOfWorkspace(signal: AbortSignal): Promise<SymbolState> {
    const files = samples(await this.#watched.list(signal), (name) => this.#serverFor(name)?.name);
    const states = await Promise.allSettled(
      files.map((name) => this.#stateOf(path.join(this.#parts.root, name), signal)),
    );
    const known = states.flatMap((state) => (state.status === "fulfilled" ? [state.value] : []));
    const failed = states.find((state) => state.status === "rejected");
    if (failed && (known.length === 0 || signal.aborted)) throw failed.reason;
    if (known.includes("starting")) return "starting";
    return known.includes("ready") ? "ready" : "none";
  }

  #serverFor(file: string): LanguageServerDefinition | undefined {
    const extension = extensionOf(file);
    return this.#parts.servers.find(({ languages }) => Object.hasOwn(languages, extension));
  }

  #start(server: LanguageServerDefinition): Running {
    const { files, errors, start } = this.#parts;
    const known = this.#running.get(server);
    if (known && (!known.client.end || known.starts > MOST_RESTARTS)) return known;
    if (this.#isClosed) throw new errors.Interrupt();
    const client = new LanguageClient({ ...start(server), files, errors });
    const running = { client, starts: (known?.starts ?? 0) + 1 };
    this.#running.set(server, running);
    return running;
  }

  /** The server of the file, which knows its text and those of the others as they are on the disk now. */
  async #asked(file: string, signal: AbortSignal): Promise<LanguageClient> {
    const { errors } = this.#parts;
    const server = this.#serverFor(file);
    if (!server) throw new errors.ToolError(`No language server is configured for ${path.basename(file)}.`);
    const { client } = this.#start(server);
    await this.#until(client.started, signal);
    await this.#tell(signal);
    await client.open(file);
    return client;
  }

  /** Tells all servers what changed on the disk. Calls at the same time share one look. */
  #tell(signal: AbortSignal): Promise<void> {
    this.#telling ??= this.#tellAll(signal).finally(() => {
      this.#telling = undefined;
    });
    return this.#telling;
  }

  async #tellAll(signal: AbortSignal): Promise<void> {
    const running = [...this.#running.values()].map(({ client }) => client).filter(({ end }) => !end);
    const extensions = new Set(this.#parts.servers.flatMap(({ languages }) => Object.keys(languages)));
    const patterns = running.flatMap(({ watchedPatterns }) => watchedPatterns);
    const changes = await this.#watched.changes(extensions, patterns, signal);
    const { errors } = this.#parts;
    await Promise.all(
      running.map((client) =>
        client.tell(changes).catch((error: unknown) => {
          // The next question to that server reports the failure.
          if (!(error instanceof errors.ToolError)) throw error;
        }),
      ),
    );
  }

  async #locations(
    file: string,
    question: Parameters<LanguageClient["ask"]>[0],
    signal: AbortSignal,
  ): Promise<SymbolLocation[]> {
    const client = await this.#asked(file, signal);
    return locationsIn(await client.ask(question, placesSchema, signal));
  }

  async #calls(
    file: string,
    at: TextPosition,
    signal: AbortSignal,
    ask: (client: LanguageClient, item: CallItem) => Promise<SymbolCalls[]>,
  ): Promise<SymbolCalls[]> {
    const client = await this.#asked(file, signal);
    const items = await client.ask(
      { ...CALLS, method: "textDocument/prepareCallHierarchy", params: placeOf(file, at) },
      itemsSchema,
      signal,
    );
    const all: SymbolCalls[] = [];
    for (const item of items ?? []) all.push(...(await ask(client, item)));
    return all;
  }

  /** Actions that do not apply here, and bare commands, are left out. */
  async #actionsAt(
    client: LanguageClient,
    file: string,
    span: TextSpan,
    signal: AbortSignal,
  ): Promise<LspAction[]> {
    const range = rangeOf(span);
    const problems = await problemsIn(client, file, signal);
    const actions = await client.ask(
      {
        method: "textDocument/codeAction",
        capability: "codeActionProvider",
        params: {
          textDocument: { uri: uriOf(file) },
          range,
          context: { diagnostics: problems.filter((each) => touch(each.range, range)), triggerKind: 1 },
        },
      },
      actionsSchema,
      signal,
    );
    return (actions ?? []).filter(({ command, disabled }) => typeof command !== "string" && !disabled);
  }

  async #changeOf(
    client: LanguageClient,
    { changes, documentChanges }: LspWorkspaceEdit,
  ): Promise<SymbolChange> {
    let hasOthers = false;
    const byPath = new Map<string, SymbolChange["files"][number]["edits"]>();
    const add = (uri: string, edits: readonly ({ range: LspRange } & ({ newText: string } | object))[]) => {
      const file = pathOf(uri);
      for (const edit of edits) {
        if (file === undefined || !("newText" in edit)) hasOthers = true;
        else
          byPath.set(file, [...(byPath.get(file) ?? []), { span: spanOf(edit.range), text: edit.newText }]);
      }
    };
    if (documentChanges)
      for (const each of documentChanges) {
        if ("kind" in each) hasOthers = true;
        else add(each.textDocument.uri, each.edits);
      }
    else for (const [uri, edits] of Object.entries(changes ?? {})) add(uri, edits);
    const files: SymbolChange["files"] = [];
    for (const [file, edits] of byPath) {
      const text =
        client.textOf(file) ?? (await this.#parts.files.readText(file)).text.replace(/^\uFEFF/, "");
      files.push({ path: file, text, edits });
    }
    return { files, hasOthers };
  }

  /** Rejects with Interrupt when the signal aborts. The start goes on. */
  async #until<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
    const { Interrupt } = this.#parts.errors;
    if (signal.aborted) throw new Interrupt();
    let onAbort = () => {};
    const stopped = new Promise<never>((_, reject) => {
      onAbort = () => reject(new Interrupt());
      signal.addEventListener("abort", onAbort, { once: true });
    });
    try {
      return await Promise.race([work, stopped]);
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }
}

const CALLS = { capability: "callHierarchyProvider" } as const;

const placeOf = (file: string, at: TextPosition) => ({
  textDocument: { uri: uriOf(file) },
  position: positionOf(at),
});

function callsOf(item: CallItem, sitesIn: string, ranges: readonly LspRange[]): SymbolCalls[] {
  return calledSymbol(item).map((symbol) => ({
    symbol,
    sites: ranges.flatMap((range) => locationIn(sitesIn, range)),
  }));
}

/** The server may say what an action changes only when it is asked for it alone. */
async function resolved(client: LanguageClient, action: LspAction, signal: AbortSignal): Promise<LspAction> {
  const { codeActionProvider } = client.capabilities;
  if (typeof codeActionProvider !== "object" || codeActionProvider.resolveProvider !== true) return action;
  const answer = await client.ask(
    { method: "codeAction/resolve", capability: "codeActionProvider", params: action },
    z.nullish(actionSchema),
    signal,
  );
  return answer ?? action;
}

/** Quick fixes belong to problems, which the client passes on. */
async function problemsIn(
  client: LanguageClient,
  file: string,
  signal: AbortSignal,
): Promise<readonly LspDiagnostic[]> {
  if (!client.has("diagnosticProvider")) return client.published(file, signal);
  const report = await client.ask(
    {
      method: "textDocument/diagnostic",
      capability: "diagnosticProvider",
      params: { textDocument: { uri: uriOf(file) } },
    },
    reportSchema,
    signal,
  );
  return report.items ?? [];
}

function touch(a: LspRange, b: LspRange): boolean {
  const isBefore = (one: LspRange["end"], other: LspRange["start"]) =>
    one.line < other.line || (one.line === other.line && one.character < other.character);
  return !isBefore(a.end, b.start) && !isBefore(b.end, a.start);
}

/** A file of each server and of each of the fullest folders of the first level. */
function samples(files: readonly string[], serverOf: (name: string) => string | undefined): string[] {
  const parts = new Map<string, { server: string; files: string[] }>();
  for (const file of files) {
    const server = serverOf(file);
    if (server === undefined) continue;
    const key = JSON.stringify([server, file.includes("/") ? file.split("/", 1) : ""]);
    const part = parts.get(key) ?? { server, files: [] };
    part.files.push(file);
    parts.set(key, part);
  }
  const fullest = [...parts.values()].sort((a, b) => b.files.length - a.files.length);
  return [...new Set(fullest.map(({ server }) => server))].flatMap((server) =>
    fullest
      .filter((part) => part.server === server)
      .slice(0, MOST_SAMPLES)
      .flatMap(({ files: [first] }) => first ?? []),
  );
}
