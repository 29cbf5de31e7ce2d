/** The port that extracts text from PDF, Office and HTML documents. */

export type DocumentKind = "pdf" | "docx" | "xlsx" | "html";

export interface Documents {
  /**
   * Returns the document's text as Markdown; each page or sheet starts with a heading. Rejects with ToolError if the
   * document cannot be read (damaged, password-protected, too large) and with Interrupt when `signal` aborts. Time and
   * memory are bounded.
   */
  extract(bytes: Uint8Array, kind: DocumentKind, signal: AbortSignal): Promise<string>;
}
