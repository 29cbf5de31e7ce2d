/** A change to one file while its call streams: the preview grows with it. */
import type { Preview } from "../../ports/editor.ts";
import type { TextFile } from "../../ports/files.ts";
import type { CallStream, ToolContext } from "../tool.ts";
import { resolvePath } from "../tool-paths.ts";
import { readOriginal } from "./original.ts";

/** Makes the proposal from what has streamed so far. */
export interface BodyReader<Result> {
  /** The proposal, where this piece changed it. */
  push(delta: string): string | undefined;
  /** The result for the whole body, which has been pushed. */
  end(): Result;
}

/** What streaming has made of a call, for the call that is prepared from the same body. */
export interface Streamed<Result> {
  preview: Preview;
  /** undefined: the body that streamed is not the one that the call has. */
  result: Result | undefined;
}

export class StreamedEdit<Result> implements CallStream {
  readonly #context: ToolContext;
  readonly #bodyParam: string;
  readonly #reader: (original: TextFile | null) => BodyReader<Result>;
  #path = "";
  #pending = "";
  #opening: Promise<void> | undefined;
  #body: BodyReader<Result> | undefined;
  /** All of the body that was pushed, in pieces. */
  #pushed: string[] = [];
  #abandoned = false;
  /** Set once the file was read and the preview opened. */
  opened: { path: string; original: TextFile | null; preview: Preview } | undefined;

  constructor(
    context: ToolContext,
    bodyParam: string,
    reader: (original: TextFile | null) => BodyReader<Result>,
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
    // A path that comes after the body is unusual; then there is a preview only once the call is whole.
    else if (this.#path !== "") this.#opening ??= this.#open();
  }

  async #open(): Promise<void> {
    const { host } = this.#context;
    try {
      const path = resolvePath(host.workspace, this.#path);
      // Nobody looks at what needs no approval, so nothing is read for it yet.
      if (await this.#context.editAllowed(path)) return;
      const original = await readOriginal(this.#context, path);
      if (this.#abandoned) return;
      this.opened = { path, original, preview: host.editor.preview(path, original, { show: true }) };
      this.#body = this.#reader(original);
      this.#feed();
    } catch (error) {
      // The whole call meets the same obstacle when it is prepared, and says so there.
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
   * Hands over to the prepared call what was made of it, if it is for the same file in the same state. `body` is the
   * whole parameter.
   */
  async take(path: string, version: string | null, body: string): Promise<Streamed<Result> | undefined> {
    await this.#opening;
    const opened = this.opened;
    if (!opened) return undefined;
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
