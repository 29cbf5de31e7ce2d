/** The ports that read files, folders and documents, for tools. */

export interface FileStat {
  kind: "file" | "directory" | "other";
  /** Bytes. */
  size: number;
  /** Changes whenever the content may have changed (modification time and size, or better). */
  version: string;
  /** Milliseconds since 1970 at which the content, the name or the rights last changed; a program cannot set it. Absent: unknown. */
  changedAt?: number;
}

/** A text file as the user's editor shows it, with everything needed to write it back unchanged. */
export interface TextFile {
  text: string;
  encoding: string;
  bom: boolean;
  version: string;
  /** Set where the encoding was guessed and is not certain: the other encodings that the file may be in. */
  alternatives?: readonly string[];
  /** Set where bytes of the file are not the ones that its text has in the encoding, such as a stray byte in UTF-8. */
  inexact?: true;
}

export interface Files {
  /** Follows links. undefined: nothing exists at the path. */
  stat(path: string): Promise<FileStat | undefined>;
  /** Returns the path with all links resolved; rejects if it does not exist. */
  realpath(path: string): Promise<string>;
  /** Returns a link's target exactly as stored in the link; rejects if the path is not a link. */
  readlink(path: string): Promise<string>;
  /** Returns the whole content; rejects if it is larger than `limit` bytes. */
  readBytes(path: string, limit: number): Promise<Uint8Array>;
  /**
   * Returns the texts of many small files, in this order, for far less than reading each of them costs. Follows no link at the end of
   * a path. undefined: there is no regular file, it is empty or has more than `limit` bytes, it is not UTF-8, or it cannot be read.
   */
  readSmall(paths: readonly string[], limit: number): Promise<(string | undefined)[]>;
  /**
   * Returns the decoded text, from the editor's unsaved buffer where the host has one. Rejects with ToolError for a
   * binary file.
   */
  readText(path: string): Promise<TextFile>;
  /**
   * Rejects with ToolError if the text cannot replace the one that was read, because of the file's encoding. Absent: all texts
   * can.
   */
  checkText?(path: string, original: TextFile, text: string): Promise<void>;
  list(path: string): Promise<{ name: string; kind: FileStat["kind"] }[]>;
}

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
