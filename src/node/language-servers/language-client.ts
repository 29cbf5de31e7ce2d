/** A conversation with one language server about one folder: from its start to its end, with the documents that it has open. */
import { pathToFileURL } from "node:url";
import type { LanguageServerDefinition } from "../../core/language-servers/language-server-file.ts";
import { Emitter } from "../../core/lifecycle.ts";
import type { Files } from "../../core/ports/files.ts";
import { messageOf } from "../../shared/message-of.ts";
import type * as z from "../../shared/zod.ts";
import { within } from "../clock.ts";
import type { ProcessGuard } from "../servers/process-guard.ts";
import type { CoreErrors } from "./core-errors.ts";
import { LanguageServerProcess, type LanguageServerStart } from "./language-server-process.ts";
import {
  configurationSchema,
  initializedSchema,
  type LspDiagnostic,
  loadStateSchema,
  pathOf,
  progressSchema,
  publishedSchema,
  registrationsSchema,
  type ServerCapabilities,
  SYMBOL_KINDS,
  unregistrationsSchema,
  watchersSchema,
} from "./lsp-shapes.ts";
import { RpcConnection } from "./rpc-connection.ts";

/** Milliseconds for one answer, for the answer to a request to end, and for the first report of problems in a document. */
const ANSWER_MS = 30_000;
const SHUTDOWN_MS = 2_000;
const REPORT_MS = 3_000;
/** Documents that are open at the same time. */
const MOST_OPEN = 30;
/** Work of a server that had finished loading after which its answers are incomplete again. */
const LOADING = /load|index|initiali[sz]|import|prim|fetch|scan|setting up/i;

export interface LanguageClientParts {
  server: LanguageServerDefinition;
  start: LanguageServerStart;
  /** Absolute path of the folder. */
  root: string;
  files: Pick<Files, "stat" | "readText">;
  guard: ProcessGuard;
  errors: CoreErrors;
  version: string;
  /** Whether it may still be started. Absent: always. */
  allowed?(): Promise<boolean>;
}

interface OpenDocument {
  text: string;
  /** Of the protocol. */
  version: number;
  /** Of the file, see `FileStat`. */
  fileVersion: string | undefined;
}

export interface DiskChange {
  path: string;
  kind: "created" | "changed" | "deleted";
}
const CHANGE_TYPES = { created: 1, changed: 2, deleted: 3 } as const;

export class LanguageClient {
  readonly #parts: LanguageClientParts;
  readonly #started: Promise<void>;
  #process: LanguageServerProcess | undefined;
  #rpc: RpcConnection | undefined;
  #capabilities: ServerCapabilities = {};
  #end: Error | undefined;
  /** In the order of their use, the latest last. By path. */
  readonly #open = new Map<string, OpenDocument>();
  readonly #reported = new Map<string, LspDiagnostic[]>();
  /** Patterns of files whose changes the server wants to know, by the id of the registration. */
  readonly #watched = new Map<string, string[]>();
  /** Tokens of the work because of which answers may be incomplete. */
  readonly #loading = new Set<string | number>();
  /** As the server says itself; undefined: it does not say. */
  #quiescent: boolean | undefined;
  #isInitialized = false;
  #wasReady = false;
  readonly #changes = new Emitter<void>();

  /** Starts the server. */
  constructor(parts: LanguageClientParts) {
    this.#parts = parts;
    this.#started = this.#start();
    // Whoever asks receives the error.
    this.#started.catch(() => {});
  }

  /** Why it can no longer be asked; undefined: it can. */
  get end(): Error | undefined {
    return this.#end;
  }

  /** Patterns of all files whose changes the server wants to know; empty: it has not said. */
  get watchedPatterns(): readonly string[] {
    return [...this.#watched.values()].flat();
  }

  get capabilities(): ServerCapabilities {
    return this.#capabilities;
  }

  /** Resolves when it can be asked. Rejects with ToolError if it cannot be started. */
  get started(): Promise<void> {
    return this.#started;
  }

  has(capability: string): boolean {
    const provider = this.#capabilities[capability];
    return provider !== undefined && provider !== null && provider !== false;
  }

  /** Rejects with ToolError if the server has no such capability, fails or does not answer in time. */
  async ask<T>(
    { method, capability, params }: { method: string; capability: string; params: unknown },
    schema: z.ZodMiniType<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const { errors, server } = this.#parts;
    const rpc = await this.#ready();
    if (!this.has(capability))
      throw new errors.ToolError(`The language server ${server.name} cannot answer this (${method}).`);
    const answer = schema.safeParse(await rpc.request(method, params, { signal, timeoutMs: ANSWER_MS }));
    if (answer.success) return answer.data;
    throw new errors.ToolError(
      `The language server ${server.name} gave an answer to ${method} that is not of the protocol.`,
    );
  }

  /** The text as the server knows it; undefined: the document is not open. */
  textOf(path: string): string | undefined {
    return this.#open.get(path)?.text;
  }

  /** Opens the document with its text on disk. Rejects with ToolError if it is no text. */
  async open(path: string): Promise<void> {
    const rpc = await this.#ready();
    const known = this.#open.get(path);
    this.#open.delete(path);
    if (known) {
      this.#open.set(path, known);
      return;
    }
    const { text, version: fileVersion } = await this.#read(path);
    const { languages } = this.#parts.server;
    const languageId = languages[extensionOf(path)] ?? "plaintext";
    this.#open.set(path, { text, version: 1, fileVersion });
    const textDocument = { uri: uriOf(path), languageId, version: 1, text };
    rpc.notify("textDocument/didOpen", { textDocument });
    const [oldest] = this.#open.keys();
    if (this.#open.size > MOST_OPEN && oldest !== undefined) this.#close(rpc, oldest);
  }

  /** Tells the server which files changed, and the texts of its open documents that did. */
  async tell(changes: readonly DiskChange[]): Promise<void> {
    const rpc = await this.#ready();
    if (changes.length > 0)
      rpc.notify("workspace/didChangeWatchedFiles", {
        changes: changes.map(({ path, kind }) => ({ uri: uriOf(path), type: CHANGE_TYPES[kind] })),
      });
    for (const [path, document] of [...this.#open]) {
      const stat = await this.#parts.files.stat(path);
      if (stat?.kind !== "file") this.#close(rpc, path);
      else if (stat.version !== document.fileVersion) {
        const { text, version: fileVersion } = await this.#read(path);
        document.fileVersion = fileVersion;
        if (text === document.text) continue;
        document.text = text;
        document.version++;
        this.#reported.delete(path);
        const textDocument = { uri: uriOf(path), version: document.version };
        rpc.notify("textDocument/didChange", { textDocument, contentChanges: [{ text }] });
      }
    }
  }

  /**
   * Resolves with whether the answers about this open document are complete, as soon as they are, or after `ms`. Rejects as `ask` does.
   */
  async settled(path: string, ms: number, signal: AbortSignal): Promise<boolean> {
    const deadline = performance.now() + ms;
    const left = () => Math.max(0, deadline - performance.now());
    const rpc = await this.#ready();
    // Whatever the server begins to load because of the document, it reports before this answer.
    const [method, params] = this.has("documentSymbolProvider")
      ? ["textDocument/documentSymbol", { textDocument: { uri: uriOf(path) } }]
      : ["textDocument/hover", { textDocument: { uri: uriOf(path) }, position: { line: 0, character: 0 } }];
    const limits = { signal, timeoutMs: ANSWER_MS };
    const { errors } = this.#parts;
    const probe = rpc.request(method, params, limits).catch((error: unknown) => {
      // What the answer is decides nothing.
      if (this.#end || !(error instanceof errors.ToolError)) throw error;
    });
    if ((await within(probe, left())) === "late") {
      // It is no failure that nobody waits for.
      probe.catch(() => {});
      return false;
    }
    while (this.#isLoading()) {
      if (signal.aborted) throw new errors.Interrupt();
      if (this.#end) throw this.#end;
      if ((await this.#nextChange(left(), signal)) === "late") return false;
    }
    this.#wasReady = true;
    return true;
  }

  /** The problems in an open document that the server published; waits for the first report of its text. */
  async published(path: string, signal: AbortSignal): Promise<readonly LspDiagnostic[]> {
    const deadline = performance.now() + REPORT_MS;
    for (;;) {
      const known = this.#reported.get(path);
      if (known) return known;
      if (signal.aborted) throw new this.#parts.errors.Interrupt();
      if (this.#end) throw this.#end;
      const left = deadline - performance.now();
      if (left <= 0 || (await this.#nextChange(left, signal)) === "late") return [];
    }
  }

  /** Asks the server to end, and ends it. Resolves when none of its processes is left. */
  async close(): Promise<void> {
    const { errors, server } = this.#parts;
    const running = this.#rpc;
    if (running && this.#isInitialized && !this.#end) {
      const signal = new AbortController().signal;
      // A server that does not answer is ended.
      await running.request("shutdown", undefined, { signal, timeoutMs: SHUTDOWN_MS }).catch(() => {});
      running.notify("exit", undefined);
    }
    this.#finish(new errors.ToolError(`The language server ${server.name} was ended.`));
    await this.#started.catch(() => {});
    await this.#process?.close();
  }

  async #ready(): Promise<RpcConnection> {
    await this.#started;
    if (this.#end) throw this.#end;
    if (!this.#rpc) throw new Error("the language server has no connection");
    return this.#rpc;
  }

  async #start(): Promise<void> {
    const { server, start, guard, errors, allowed } = this.#parts;
    if (allowed && !(await allowed()))
      throw this.#finish(
        new errors.ToolError(
          `The language server ${server.name} cannot start: the files of its plugin changed. Ask the user to check the plugin.`,
        ),
      );
    const running = await LanguageServerProcess.start(start, guard);
    this.#process = running;
    const rpc = new RpcConnection(
      server.name,
      running,
      {
        onRequest: (method, params) => this.#onRequest(method, params),
        onNotification: (method, params) => this.#onNotification(method, params),
        onFault: (why) => {
          this.#finish(new errors.ToolError(`The language server ${server.name} was ended: ${why}.`));
          void running.close();
        },
      },
      errors,
    );
    this.#rpc = rpc;
    void running.ended.then((how) =>
      this.#finish(new errors.ToolError(`The language server ${server.name} ${how}.`)),
    );
    if (this.#end) {
      await running.close();
      throw this.#end;
    }
    try {
      await this.#initialize(rpc);
    } catch (error) {
      const why = this.#finish(
        error instanceof errors.ToolError
          ? error
          : new errors.ToolError(`The language server ${server.name} did not start: ${messageOf(error)}`),
      );
      await running.close();
      throw why;
    }
  }

  async #initialize(rpc: RpcConnection): Promise<void> {
    const { server, root, errors, version } = this.#parts;
    const { initializationOptions, settings, startupTimeoutMs: timeoutMs } = server;
    const limits = { signal: new AbortController().signal, timeoutMs };
    const answer = await rpc.request(
      "initialize",
      {
        processId: process.pid,
        clientInfo: { name: "nekode", version },
        rootPath: root,
        rootUri: uriOf(root),
        workspaceFolders: this.#folders(),
        capabilities: CAPABILITIES,
        ...(initializationOptions === undefined ? {} : { initializationOptions }),
      },
      limits,
    );
    const { capabilities } = initializedSchema.safeParse(answer).data ?? {};
    if (!capabilities)
      throw new errors.ToolError(`The language server ${server.name} gave no usable answer to its start.`);
    const { positionEncoding = "utf-16" } = capabilities;
    if (positionEncoding !== "utf-16")
      throw new errors.ToolError(
        `The language server ${server.name} counts columns in ${positionEncoding}, which was not offered to it.`,
      );
    this.#capabilities = capabilities;
    this.#isInitialized = true;
    rpc.notify("initialized", {});
    if (settings !== undefined) rpc.notify("workspace/didChangeConfiguration", { settings });
  }

  #folders() {
    const { root } = this.#parts;
    return [{ uri: uriOf(root), name: root.split(/[\\/]/).findLast((part) => part !== "") ?? root }];
  }

  /** Returns the reason of the end, which is the first one. */
  #finish(why: Error): Error {
    this.#end ??= why;
    this.#rpc?.close(this.#end);
    this.#changes.emit();
    return this.#end;
  }

  /** Nothing that a server asks changes anything here. */
  #onRequest(method: string, params: unknown): { result: unknown } | undefined {
    switch (method) {
      case "workspace/configuration":
        return { result: this.#configuration(params) };
      case "workspace/workspaceFolders":
        return { result: this.#folders() };
      case "client/registerCapability":
        for (const { id, registerOptions } of registrationsSchema
          .safeParse(params)
          .data?.registrations.filter((each) => each.method === "workspace/didChangeWatchedFiles") ?? []) {
          const watchers = watchersSchema.safeParse(registerOptions).data?.watchers ?? [];
          this.#watched.set(
            id,
            watchers.map(({ globPattern: glob }) => (typeof glob === "string" ? glob : glob.pattern)),
          );
        }
        return { result: null };
      case "client/unregisterCapability":
        for (const { id } of unregistrationsSchema.safeParse(params).data?.unregisterations ?? [])
          this.#watched.delete(id);
        return { result: null };
      case "window/workDoneProgress/create":
      case "window/showMessageRequest":
        return { result: null };
      case "workspace/applyEdit":
        return { result: { applied: false, failureReason: "Only the user changes files." } };
      default:
        return undefined;
    }
  }

  #configuration(params: unknown): unknown[] {
    const { settings } = this.#parts.server;
    const items = configurationSchema.safeParse(params).data?.items ?? [];
    return items.map(({ section }) => (section ? valueAt(settings, section) : settings) ?? null);
  }

  #onNotification(method: string, params: unknown): void {
    if (method === "$/progress") this.#onProgress(params);
    else if (method === "experimental/serverStatus")
      this.#quiescent = loadStateSchema.safeParse(params).data?.quiescent ?? this.#quiescent;
    else if (method === "textDocument/publishDiagnostics") {
      const { uri = "", diagnostics = [] } = publishedSchema.safeParse(params).data ?? {};
      const path = pathOf(uri);
      // Only for open documents, so that the number is bounded.
      if (path !== undefined && this.#open.has(path)) this.#reported.set(path, diagnostics);
    } else return;
    this.#changes.emit();
  }

  #onProgress(params: unknown): void {
    const { data } = progressSchema.safeParse(params);
    if (!data) return;
    const { token, value } = data;
    if (value.kind === "end") this.#loading.delete(token);
    else if (value.kind === "begin" && (!this.#wasReady || LOADING.test(value.title ?? "")))
      this.#loading.add(token);
  }

  #isLoading(): boolean {
    return this.#quiescent === undefined ? this.#loading.size > 0 : !this.#quiescent;
  }

  /** Resolves when the server reports something, ends, or the signal aborts. */
  async #nextChange(ms: number, signal: AbortSignal): Promise<unknown> {
    let done = () => {};
    const changed = new Promise<void>((resolve) => {
      done = resolve;
    });
    const listening = this.#changes.on(done);
    signal.addEventListener("abort", done, { once: true });
    try {
      return await within(changed, ms);
    } finally {
      listening.dispose();
      signal.removeEventListener("abort", done);
    }
  }

  async #read(path: string): Promise<{ text: string; version: string }> {
    const { text, version } = await this.#parts.files.readText(path);
    return { text: text.replace(/^\uFEFF/, ""), version };
  }

  #close(rpc: RpcConnection, path: string): void {
    this.#open.delete(path);
    this.#reported.delete(path);
    rpc.notify("textDocument/didClose", { textDocument: { uri: uriOf(path) } });
  }
}

export const uriOf = (path: string): string => pathToFileURL(path).href;

/** In lower case, with the dot; "": it has none. */
export function extensionOf(path: string): string {
  return /\.[^./\\]+$/.exec(path)?.[0].toLowerCase() ?? "";
}

/** The value of a section such as `python.analysis`; settings may have it nested or under its whole name. */
function valueAt(settings: unknown, section: string): unknown {
  if (typeof settings !== "object" || settings === null) return undefined;
  if (Object.hasOwn(settings, section)) return Reflect.get(settings, section);
  const [first = "", ...rest] = section.split(".");
  if (rest.length === 0 || !Object.hasOwn(settings, first)) return undefined;
  return valueAt(Reflect.get(settings, first), rest.join("."));
}

/** What this client does. */
const CAPABILITIES = {
  general: { positionEncodings: ["utf-16"] },
  workspace: {
    configuration: true,
    workspaceFolders: true,
    didChangeConfiguration: {},
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
    symbol: { symbolKind: { valueSet: SYMBOL_KINDS } },
    workspaceEdit: { documentChanges: true },
  },
  textDocument: {
    synchronization: {},
    definition: { linkSupport: true },
    implementation: { linkSupport: true },
    references: {},
    documentSymbol: { hierarchicalDocumentSymbolSupport: true, symbolKind: { valueSet: SYMBOL_KINDS } },
    callHierarchy: {},
    rename: {},
    codeAction: {
      codeActionLiteralSupport: {
        codeActionKind: { valueSet: ["", "quickfix", "refactor", "source"] },
      },
      isPreferredSupport: true,
      disabledSupport: true,
      dataSupport: true,
      resolveSupport: { properties: ["edit"] },
    },
    publishDiagnostics: { relatedInformation: true, codeDescriptionSupport: true, dataSupport: true },
    diagnostic: {},
  },
  window: { workDoneProgress: true },
  experimental: { serverStatusNotification: true },
};
