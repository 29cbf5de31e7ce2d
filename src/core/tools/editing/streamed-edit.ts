/** A change to one file while its call streams; the preview updates as text arrives. */
import type { Preview } from "../../ports/editor.ts";
import type { TextFile } from "../../ports/files.ts";
import type { CallStream, ToolContext } from "../tool.ts";
import { locatePath } from "../tool-paths.ts";
import { readOriginal } from "./original-file.ts";

/** Computes the proposed text from the body streamed so far. */
export interface BodyReader<Result> {
  /** The proposed text, or undefined if `delta` did not change it. */
  push(delta: string): string | undefined;
  /** The result for the complete body, all of which has been pushed. */
  end(): Result;
}

/** The outcome of streaming, for the call that is prepared from the same body. */
export interface StreamedResult<Result> {
  /** undefined: no approval was needed when the call began, so that none was opened. */
  preview: Preview | undefined;
  /** undefined: the streamed body differs from the call's. */
  result: Result | undefined;
}

export class StreamedEdit<Result> implements CallStream {
  readonly #context: ToolContext;
  readonly #bodyParam: string;
  readonly #reader: (original: TextFile | null, path: string) => BodyReader<Result>;
  #path = "";
  #pending = "";
  #opening: Promise<void> | undefined;
  #body: BodyReader<Result> | undefined;
  /** The body pushed so far, in chunks. */
  #pushed: string[] = [];
  #abandoned = false;
  /** The path, if its edit needs no approval. */
  #allowed: string | undefined;
  /** Set once the file has been read and the preview opened. */
  opened: { path: string; original: TextFile | null; preview: Preview } | undefined;

  constructor(
    context: ToolContext,
    bodyParam: string,
    reader: (original: TextFile | null, path: string) => BodyReader<Result>,
  ) {
    this.#context = context;
    this.#bodyParam = bodyParam;
    this.#reader = reader;
  }

  param(name: string, delta: string): void {
    if (name === "path") this.#path += delta;
    if (name !== this.#bodyParam) return;
    this.#pending += delta;
    if (this.#body) this.#feed();
    // If the path comes after the body, which is unusual, the preview opens only when the call is complete.
    else if (this.#path !== "") this.#opening ??= this.#open();
  }

  async #open(): Promise<void> {
    const { host } = this.#context;
    try {
      const path = await locatePath(host, this.#path);
      // An edit that needs no approval has no preview, so the file is not read yet.
      if (await this.#context.editAllowed(path)) {
        this.#allowed = path;
        return;
      }
      const original = await readOriginal(this.#context, path);
      if (this.#abandoned) return;
      const options = { show: true, session: this.#context.sessionId() };
      this.opened = { path, original, preview: host.editor.preview(path, original, options) };
      this.#body = this.#reader(original, path);
      this.#feed();
    } catch (error) {
      // Preparing the complete call fails for the same reason and reports it.
      host.log.info(`no preview while streaming: ${String(error)}`);
    }
  }

  #feed(): void {
    const delta = this.#pending;
    this.#pending = "";
    this.#pushed.push(delta);
    const text = this.#body?.push(delta);
    if (text !== undefined) this.opened?.preview.update(text);
  }

  /**
   * Hands the preview and the result to the prepared call if it is for the same file in the same version. `body` is the
   * complete parameter.
   */
  async take(
    path: string,
    version: string | null,
    body: string,
  ): Promise<StreamedResult<Result> | undefined> {
    await this.#opening;
    const opened = this.opened;
    if (!opened) return this.#allowed === path ? { preview: undefined, result: undefined } : undefined;
    this.opened = undefined;
    if (opened.path === path && (opened.original?.version ?? null) === version) {
      const isSame = this.#pushed.join("") === body;
      return { preview: opened.preview, result: isSame ? this.#body?.end() : undefined };
    }
    await opened.preview.discard();
    return undefined;
  }

  async abandon(): Promise<void> {
    this.#abandoned = true;
    await this.#opening;
    await this.opened?.preview.discard();
    this.opened = undefined;
  }
}
