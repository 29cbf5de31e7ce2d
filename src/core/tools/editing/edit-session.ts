/**
 * One proposed change to one file, from the first streamed character to the save. Both editing tools work through it:
 * the preview grows while the call streams, and the very text that was shown is what the approval saves.
 */
import type { ResultPart } from "../../../shared/message.ts";
import { changedRegions, unifiedDiff } from "../../edits/regions.ts";
import { ToolError } from "../../errors.ts";
import type { Preview, Saved } from "../../ports/editor.ts";
import type { TextFile } from "../../ports/files.ts";
import { sliceWhole } from "../../text.ts";
import type { CallStream, Invocation, ShownFile, ToolContext, ToolOutput } from "../tool.ts";
import { displayPath, resolvePath } from "../tool-paths.ts";

/** Characters of a saved file that are told to the model whole; longer ones by their changed regions. */
const wholeFileLimit = 20_000;

/** Makes the proposal from what has streamed so far; `end` when a tool only needs the whole. */
export interface BodyReader {
  push(delta: string): string | undefined;
}

export class StreamedEdit implements CallStream {
  readonly #context: ToolContext;
  readonly #bodyParam: string;
  readonly #reader: (original: TextFile | null) => BodyReader;
  #path = "";
  #pending = "";
  #opening: Promise<void> | undefined;
  #body: BodyReader | undefined;
  #abandoned = false;
  /** Set once the file was read and the preview opened. */
  opened: { path: string; original: TextFile | null; preview: Preview } | undefined;

  constructor(context: ToolContext, bodyParam: string, reader: (original: TextFile | null) => BodyReader) {
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
    const text = this.#body?.push(delta);
    if (text !== undefined) this.opened?.preview.update(text);
  }

  /** Hands the preview over to the prepared call, if it is for the same file in the same state. */
  async take(path: string, version: string | null): Promise<Preview | undefined> {
    await this.#opening;
    const opened = this.opened;
    if (!opened) return undefined;
    this.opened = undefined;
    if (opened.path === path && (opened.original?.version ?? null) === version) return opened.preview;
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

/** The file as it stands, or null where there is none. Throws ToolError for a folder or a binary file. */
export async function readOriginal(context: ToolContext, path: string): Promise<TextFile | null> {
  const { files, workspace } = context.host;
  const stat = await files.stat(path);
  if (!stat) return null;
  if (stat.kind !== "file") throw new ToolError(`${displayPath(workspace, path)} is not a file.`);
  return files.readText(path);
}

/**
 * An edit that does not fit is answered with lines of the file, before anybody was asked. Throws ToolError in its place
 * where the model has not read the file and could not without asking.
 */
export async function refuseToQuote(context: ToolContext, path: string): Promise<void> {
  if (context.seen.has(path)) return;
  const reason = await context.unreadable(path);
  if (reason === undefined) return;
  throw new ToolError(
    `The change does not fit ${displayPath(context.host.workspace, path)}, and its lines are not shown here: ${reason}. Nothing was changed. read_file asks the person for it.`,
  );
}

/** The invocation that saves `text` to `path`; `stream` may already show it. */
export async function editInvocation(
  context: ToolContext,
  path: string,
  original: TextFile | null,
  text: string,
  stream: CallStream | undefined,
): Promise<Invocation> {
  const { host } = context;
  const shown = displayPath(host.workspace, path);
  const version = original?.version ?? null;
  const streamed = stream instanceof StreamedEdit ? await stream.take(path, version) : undefined;
  const show = streamed !== undefined || !(await context.editAllowed(path));
  const preview = streamed ?? host.editor.preview(path, original, { show });
  await preview.finish(text);
  const { added, removed } = changedRegions(original?.text ?? "", text);
  return {
    paths: [{ path, access: "write", change: { before: original?.text ?? null, after: text } }],
    view: { path: shown, added, removed, created: original === null },
    async run() {
      const saved = await preview.save(version);
      const stat = await host.files.stat(path);
      if (stat) context.seen.set(path, stat.version);
      return savedOutput(shown, original, text, saved);
    },
    discard: () => preview.discard(),
  };
}

function savedOutput(path: string, original: TextFile | null, proposed: string, saved: Saved): ToolOutput {
  const { text, added, removed } = describeSaved(path, original, proposed, saved, wholeFileLimit);
  const parts: ResultPart[] = [{ type: "text", text }];
  return { parts, shown: { added, removed, created: original === null } };
}

/** What a save did, for the model: what the person and the editor changed, the file as it is, and new problems. */
export function describeSaved(
  path: string,
  original: TextFile | null,
  proposed: string,
  saved: Saved,
  limit: number,
): { text: string; added: number; removed: number } {
  const regions = changedRegions(original?.text ?? "", saved.finalText);
  const sections = [`The content was saved to ${path}.`];
  if (saved.personText !== undefined && saved.personText !== proposed) {
    sections.push(
      `Before approving, the person changed your proposal:\n\n${unifiedDiff(proposed, saved.personText)}\n\nTheir version is what was saved.`,
    );
  }
  if ((saved.personText ?? proposed) !== saved.finalText) {
    sections.push("The editor formatted the file while saving.");
  }
  sections.push(finalContent(path, saved.finalText, regions, limit));
  sections.push("This is the file as it now is: base further changes to it on this text.");
  if (saved.newProblems.length > 0) {
    sections.push(`New problems reported after the change:\n${saved.newProblems.join("\n")}`);
  }
  return { text: sections.join("\n\n"), added: regions.added, removed: regions.removed };
}

/** The file whose new content a result of an edit shows. */
export function savedFile(_: Readonly<Record<string, unknown>>, text: string): ShownFile | undefined {
  const path = /<final_file_content path="([^"\n]+)">/.exec(text)?.[1];
  return path === undefined ? undefined : { path, lines: "" };
}

function finalContent(
  path: string,
  text: string,
  regions: ReturnType<typeof changedRegions>,
  limit: number,
): string {
  const open = `<final_file_content path="${path}">`;
  if (text.length <= limit) {
    return `${open}
${text}
</final_file_content>`;
  }
  const lines = text.split("\n");
  const excerpts = regions.regions.map(({ startLine, endLine }) => {
    const from = Math.max(1, startLine - 3);
    const to = Math.min(lines.length, endLine + 3, from + 200);
    const numbered = lines.slice(from - 1, to).map((line, index) => `${from + index} | ${line}`);
    return numbered.join("\n");
  });
  const note = `(${lines.length} lines; only the changed regions, with line numbers. read_file shows the rest.)`;
  return `${open}\n${note}\n${sliceWhole(excerpts.join("\n...\n"), 0, limit)}\n</final_file_content>`;
}
