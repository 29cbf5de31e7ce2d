/**
 * Files outside the workspace that the user gave in this window: dropped, pasted or chosen. The agent may read exactly these, and what is
 * in a folder that was given. Nothing is stored, so the next window asks again.
 */
import { realpath } from "node:fs/promises";
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
}

export const givenFiles = new WindowFiles();
