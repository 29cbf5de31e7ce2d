/** The `FileStates` port over the files of a host in memory. */
import { dirname } from "node:path";
import { ToolError } from "../../src/core/errors.ts";
import type { FileContent, FileStates } from "../../src/core/ports/file-states.ts";

/** `files`: absolute path to text. A folder exists as long as it contains a file. */
export function memoryFileStates(files: Map<string, string>): FileStates {
  const read = async (file: string): Promise<FileContent | null> => {
    const text = files.get(file);
    if (text !== undefined) return { kind: "file", bytes: new TextEncoder().encode(text) };
    const isFolder = dirname(file) === file || [...files.keys()].some((name) => name.startsWith(`${file}/`));
    return isFolder ? { kind: "directory", bytes: new Uint8Array() } : null;
  };
  return {
    locate: async (file) => file,
    read,
    madeSince: async () => undefined,
    tidy: async () => {},
    prune: async () => {},
    async put(file, content, isExpected) {
      if (!(await isExpected(await read(file)))) throw new ToolError(`${file} changed meanwhile.`);
      if (content) files.set(file, new TextDecoder().decode(content.bytes));
      else files.delete(file);
    },
  };
}
