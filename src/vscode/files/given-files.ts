/**
 * Files outside the workspace that the user gave in this window: dropped, pasted or chosen. The agent may read exactly these, and what is
 * in a folder that was given. Nothing is stored, so the next window asks again.
 */
import { mkdtemp, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { GivenFiles } from "../../core/ports/workspace.ts";
import { isInside } from "../../core/roots.ts";

class WindowFiles implements GivenFiles {
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();

  has(resolved: string): boolean {
    return this.#files.has(resolved) || [...this.#folders].some((folder) => isInside(folder, resolved));
  }

  /** Rejects if nothing exists there. */
  async give(file: string, kind: "file" | "folder"): Promise<void> {
    const resolved = await realpath(file);
    if (kind === "folder") this.#folders.add(resolved);
    else this.#files.add(resolved);
  }

  /** Stores a content that came without a path in a temporary folder of its own, and gives that file. Returns its path. */
  async store(name: string, bytes: Uint8Array): Promise<string> {
    const folder = await mkdtemp(path.join(await realpath(tmpdir()), "nekode-file-"));
    const file = path.join(folder, safeName(name));
    await writeFile(file, bytes, { mode: 0o600 });
    await this.give(file, "file");
    return file;
  }
}

export const givenFiles = new WindowFiles();

/** A name that every file system takes, without folders. */
function safeName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const safe = last.replace(/[\x00-\x1f\x7f<>:"|?*]/g, "_").replace(/^\.+|[. ]+$/g, "");
  return safe.slice(-120) || "file";
}
