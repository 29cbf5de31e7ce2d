/** The port for the tools that other extensions of the editor offer to models. */

export interface EditorTool {
  /** The id of the extension that offers it, such as `publisher.name`; "": the editor itself, or nobody knows. */
  extension: string;
  /** For the user: what the extension or the editor is called. */
  owner: string;
  /** By this name the editor calls it. */
  name: string;
  /** For the user; absent: it has only its name. */
  title?: string;
  /** For the model. */
  description: string;
  /** A JSON schema of an object; absent: it has no parameters. */
  inputSchema?: unknown;
}

/** What a result consists of. `data`: the bytes as they are. */
export type EditorToolPart =
  | { type: "text"; text: string }
  | { type: "data"; mimeType: string; data: Uint8Array };

export interface EditorTools {
  /** The tools that are there now, without Nekode's own. The editor reports no changes. */
  list(): readonly EditorTool[];
  /**
   * Rejects with Interrupt when the signal aborts, with NeedsEditorChat if the tool works only in the editor's own chat, and with
   * ToolError for every other failure.
   */
  call(name: string, input: Record<string, unknown>, signal: AbortSignal): Promise<EditorToolPart[]>;
}
