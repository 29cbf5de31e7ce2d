/**
 * Parses the output of git plumbing. Names are bytes to git; names that are not UTF-8 are skipped. What is said of all files of a
 * repository may be hundreds of megabytes: other work has its turn while that is read.
 */
import { setImmediate } from "node:timers/promises";
import type { FileContent } from "../../core/ports/file-states.ts";
import { inPortions } from "../portions.ts";

type Kind = FileContent["kind"];
type Side = { kind: Kind; id: string } | null;

/** Marks a name whose bytes are not UTF-8, which could not be found again. */
const UNREADABLE = "\uFFFD";

const KINDS: Readonly<Record<string, Kind>> = { "100644": "file", "100755": "executable", "120000": "link" };

/** The modes of files, links and executables. */
export const FILE_MODES: ReadonlySet<number> = new Set(
  Object.keys(KINDS).map((mode) => Number.parseInt(mode, 8)),
);

/** Bytes that are read at once: a millisecond or two. */
const PIECE = 256 * 1024;
/** The same for bytes that are looked at one by one. */
const SIZES_PIECE = 32 * 1024;

/** Calls `take` with each field of the output, which ends with that byte. */
export async function takeFields(
  output: Buffer,
  end: "\0" | "\n",
  take: (field: string) => void,
): Promise<void> {
  for (let at = 0; at < output.length; ) {
    const last = output.indexOf(end, at + PIECE);
    const next = last < 0 ? output.length : last + 1;
    const fields = output.toString("utf8", at, next).split(end);
    if (fields.at(-1) === "") fields.pop();
    for (const field of fields) take(field);
    at = next;
    await setImmediate();
  }
}

/** Calls `take` with each size of `cat-file --batch-check=%(objectsize)`. -1: another line than a number; the object is not there. */
export async function takeSizes(output: Buffer, take: (size: number) => void): Promise<void> {
  let size = 0;
  for (let from = 0; from < output.length; from += SIZES_PIECE) {
    for (const byte of output.subarray(from, from + SIZES_PIECE)) {
      if (byte === 10) {
        take(size);
        size = 0;
      } else size = size < 0 || byte < 48 || byte > 57 ? -1 : size * 10 + byte - 48;
    }
    await setImmediate();
  }
}

/** The input of a command that reads a list: `text` of each item, with that byte after it. */
export async function listInput<T>(
  items: readonly T[],
  end: "\0" | "\n",
  text: (item: T) => string,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const portion of inPortions(items))
    parts.push(Buffer.from(portion.map((item) => `${text(item)}${end}`).join("")));
  return Buffer.concat(parts);
}

/** Parses `-z` output. */
export function names(output: Buffer): string[] {
  return output.toString("utf8").split("\0").filter(canBeFound);
}

/** Whether the field is a name that can be found again. */
export const canBeFound = (field: string): boolean => field !== "" && !field.includes(UNREADABLE);

export interface StagedEntry {
  name: string;
  id: string;
  /** undefined: a gitlink, a folder of a sparse index, or one side of a conflict. */
  kind: Kind | undefined;
  /** Bytes of the file in the working tree when git last checked; -1: not in the output. */
  size: number;
}

/** Parses `ls-files --stage --debug -z`, in which the debug data of an entry follows its name. */
export async function parseStage(output: Buffer): Promise<StagedEntry[]> {
  const entries: StagedEntry[] = [];
  await takeFields(output, "\0", (field) => {
    const figures = /^ {2}ctime: [\s\S]*? {2}size: (\d+)\tflags: [0-9a-f]+\n/.exec(field);
    const last = entries.at(-1);
    if (figures && last) last.size = Number(figures[1]);
    const header = /^(\d{6}) ([0-9a-f]+) (\d)\x09([\s\S]*)$/.exec(field.slice(figures?.[0].length ?? 0));
    if (!header) return;
    const [, mode = "", id = "", stage, name = ""] = header;
    entries.push({ name, id, kind: stage === "0" ? KINDS[mode] : undefined, size: -1 });
  });
  return entries;
}

/** Parses `diff-tree -r -z --raw --no-renames --full-index`. */
export function parseRawDiff(output: Buffer): { name: string; before: Side; after: Side }[] {
  const fields = output.toString("utf8").split("\0");
  const changes: { name: string; before: Side; after: Side }[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const match = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]\d*$/.exec(fields[i] ?? "");
    const name = fields[i + 1] ?? "";
    if (!match || name.includes(UNREADABLE)) continue;
    const [, oldMode = "", newMode = "", oldId = "", newId = ""] = match;
    const before = sideOf(oldMode, oldId);
    const after = sideOf(newMode, newId);
    if (before !== undefined && after !== undefined) changes.push({ name, before, after });
  }
  return changes;
}

/** undefined: not a file. */
function sideOf(mode: string, id: string): Side | undefined {
  if (mode === "000000") return null;
  const kind = KINDS[mode];
  return kind && { kind, id };
}

/** Parses `cat-file --batch`: content by id. */
export function parseBlobs(output: Buffer): Map<string, Uint8Array> {
  const blobs = new Map<string, Uint8Array>();
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(10, at);
    if (end < 0) break;
    const [id = "", type, size] = output.toString("latin1", at, end).split(" ");
    at = end + 1;
    if (type !== "blob") continue;
    blobs.set(id, output.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return blobs;
}
