/** The `Snapshots` port of a workspace with any number of folders; each folder has its own repository. */
import type { Snapshot, SnapshotChange, Snapshots } from "../../core/ports/snapshots.ts";
import * as z from "../../shared/zod.ts";

const treesSchema = z.record(z.string(), z.string());

export class WorkspaceSnapshots implements Snapshots {
  readonly #roots: () => readonly string[];
  readonly #make: (root: string) => Snapshots;
  /** By folder path, including folders that were removed from the workspace. */
  readonly #snapshots = new Map<string, Snapshots>();

  /** `roots` is called at each snapshot, `make` once for each folder. */
  constructor(roots: () => readonly string[], make: (root: string) => Snapshots) {
    this.#roots = roots;
    this.#make = make;
  }

  /** Unavailable only if no folder has a snapshot; the reason is the first folder's. */
  async take(): Promise<Snapshot> {
    const roots = [...new Set(this.#roots())];
    const snapshots = await Promise.all(
      roots.map(async (root) => ({ root, snapshot: await this.#of(root).take() })),
    );
    const trees: Record<string, string> = {};
    const left: string[] = [];
    const nested: string[] = [];
    const missing: string[] = [];
    let first: Snapshot | undefined;
    for (const { root, snapshot } of snapshots) {
      if ("unavailable" in snapshot) {
        missing.push(root);
        first ??= snapshot;
      } else {
        trees[root] = snapshot.tree;
        left.push(...snapshot.left);
        nested.push(...(snapshot.nested ?? []));
      }
    }
    if (Object.keys(trees).length === 0) return first ?? { unavailable: "no-repository" };
    return { tree: JSON.stringify(trees), left, nested, ...(missing.length > 0 ? { missing } : {}) };
  }

  /** Folders that are in only one of the two snapshots are ignored. */
  async changes(from: string, to: string): Promise<SnapshotChange[]> {
    const [before, after] = [from, to].map((tree) => treesSchema.parse(JSON.parse(tree)));
    const changes = new Map<string, SnapshotChange>();
    for (const [root, tree] of Object.entries(before ?? {})) {
      const now = after?.[root];
      if (now === undefined) continue;
      // Nested folders report the same file twice.
      for (const change of await this.#of(root).changes(tree, now)) changes.set(change.path, change);
    }
    return [...changes.values()];
  }

  /** A folder without version control counts as a whole. */
  async ignored(): Promise<string[]> {
    const roots = [...new Set(this.#roots())];
    const found = await Promise.all(roots.map(async (root) => (await this.#of(root).ignored?.()) ?? [root]));
    return found.flat();
  }

  async read(ids: readonly string[], limit: number, total: number): Promise<Map<string, Uint8Array>> {
    const contents = new Map<string, Uint8Array>();
    let remaining = total;
    for (const snapshots of this.#snapshots.values()) {
      const wanted = ids.filter((id) => !contents.has(id));
      for (const [id, bytes] of await snapshots.read(wanted, limit, remaining)) {
        contents.set(id, bytes);
        remaining -= bytes.length;
      }
    }
    return contents;
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.#snapshots.values()].map((snapshots) => snapshots.dispose()));
  }

  #of(root: string): Snapshots {
    const known = this.#snapshots.get(root) ?? this.#make(root);
    this.#snapshots.set(root, known);
    return known;
  }
}
