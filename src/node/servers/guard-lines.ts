/** What the host writes to the process guard, one line each. Values are encoded as in URLs, so that no value contains a space. */

export type GuardEntry =
  /** A process tree to end. `leader`: the leader of its process group; undefined: it is known by its mark alone. */
  | { kind: "tree"; leader?: number; mark: string }
  /** A temporary folder to remove. */
  | { kind: "folder"; path: string };

/** What the guard writes once it reads its input. */
export const READY = "ready";

/** No process has this id. */
const NO_LEADER = -1;

export function addLine(id: number, entry: GuardEntry): string {
  return entry.kind === "tree"
    ? `tree ${id} ${entry.leader ?? NO_LEADER} ${encodeURIComponent(entry.mark)}\n`
    : `folder ${id} ${encodeURIComponent(entry.path)}\n`;
}

export function removeLine(id: number): string {
  return `done ${id}\n`;
}

export type GuardCommand = { id: number; entry: GuardEntry | undefined };

/** undefined: not a complete line, because the host ended while it wrote. `entry` undefined: the entry is removed. */
export function parseGuardLine(line: string): GuardCommand | undefined {
  const [kind = "", id = "", first = "", second = ""] = line.split(" ");
  if (!/^\d+$/.test(id)) return undefined;
  switch (kind) {
    case "tree":
      if (!/^-?\d+$/.test(first) || second === "") return undefined;
      return {
        id: Number(id),
        entry: { kind, leader: Number(first), mark: decodeURIComponent(second) },
      };
    case "folder":
      return first === "" ? undefined : { id: Number(id), entry: { kind, path: decodeURIComponent(first) } };
    case "done":
      return { id: Number(id), entry: undefined };
    default:
      return undefined;
  }
}
