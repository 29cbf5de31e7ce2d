/** The text of documents that are not text files. */

export type DocumentKind = "pdf" | "docx" | "xlsx" | "html";

/** The text of documents that are not text files. */
export interface Documents {
  /**
   * The text of a document as Markdown; a page or sheet begins with a heading. Rejects with ToolError when it cannot be
   * read (damaged, locked by a password, too large), with Interrupt when `signal` aborts. Bounded in time and memory.
   */
  extract(bytes: Uint8Array, kind: DocumentKind, signal: AbortSignal): Promise<string>;
}
