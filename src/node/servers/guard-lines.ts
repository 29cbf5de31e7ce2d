/**
 * What the host writes to the process guard, one line each. Values are encoded as in URLs, so that no value contains a space.
 * Each line has an end marker, because the last one may be truncated if the host is killed, and a truncated mark would match
 * other process trees.
 */

/** A process tree to end. */
export interface GuardEntry {
  /** The leader of its process group; undefined: the tree is known by its mark alone. */
  leader?: number | undefined;
  /** Text in the environment of its processes. */
  mark: string;
}

/** What the guard writes once it reads its input. */
export const READY = "ready";

/** No process has this id. */
const NO_LEADER = -1;

export function addLine(id: number, { leader = NO_LEADER, mark }: GuardEntry): string {
  return `tree ${id} ${leader} ${encodeURIComponent(mark)} .\n`;
}

export function removeLine(id: number): string {
  return `done ${id} .\n`;
}

/** The entry with this id, as a line describes it. */
export interface GuardCommand {
  id: number;
  /** undefined: it is removed. */
  tree: { leader: number; mark: string } | undefined;
}

/** undefined: not a complete line. */
export function parseGuardLine(line: string): GuardCommand | undefined {
  const [, done] = /^done (\d+) \.$/.exec(line) ?? [];
  if (done !== undefined) return { id: Number(done), tree: undefined };
  const [, id, leader, mark] = /^tree (\d+) (-?\d+) (\S+) \.$/.exec(line) ?? [];
  if (mark === undefined) return undefined;
  return { id: Number(id), tree: { leader: Number(leader), mark: decodeURIComponent(mark) } };
}
