import { stat } from "node:fs/promises";

/** The operating system's error code; undefined: not a system error. */
export function codeOf(error: unknown): string | undefined {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return undefined;
}

/** Whether the error means that the path does not exist. */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

/** Whether there is a folder, after links are followed. Rejects if that cannot be known. */
export async function isFolder(place: string): Promise<boolean> {
  try {
    return (await stat(place)).isDirectory();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
