/** Files and folders of the disk, as tools read them. */

export interface FileStat {
  kind: "file" | "directory" | "other";
  /** Bytes. */
  size: number;
  /** Changes whenever the content may have changed (modification time and size, or better). */
  version: string;
}

/** A text file as the person's editor would show it, with all that is needed to write it back as it was. */
export interface TextFile {
  text: string;
  encoding: string;
  bom: boolean;
  version: string;
}

export interface Files {
  /** undefined: there is nothing at that path. Follows links. */
  stat(path: string): Promise<FileStat | undefined>;
  /** The path with every link resolved; rejects when it does not exist. */
  realpath(path: string): Promise<string>;
  /** Where a link points, as it is written in the link; rejects for what is no link. */
  readlink(path: string): Promise<string>;
  /** Whole content; rejects when it is larger than `limit` bytes. */
  readBytes(path: string, limit: number): Promise<Uint8Array>;
  /** Decoded text, from the editor's unsaved buffer where the host has one. A binary file rejects with ToolError. */
  readText(path: string): Promise<TextFile>;
  list(path: string): Promise<{ name: string; kind: FileStat["kind"] }[]>;
}
