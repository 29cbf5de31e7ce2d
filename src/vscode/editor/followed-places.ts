/** What following the agent shows of a call: the file that it read or edited, and the lines. */
import { changedRegions } from "../../core/edits/regions.ts";
import type { FileContent } from "../../core/ports/file-states.ts";
import { realTarget } from "../../node/files/disk-files.ts";
import { decodeFile, type EncodingNames } from "../../node/files/encoding-names.ts";
import type { TaskEvent } from "../../shared/event.ts";
import { presentationOf } from "../../shared/tool-presentation.ts";
import { type CallRow, type ChatView, rowsOf } from "../../shared/view/reducer.ts";
import { opensAsPlainText } from "./plain-files.ts";

/** Maximum bytes of a file in which the changed lines are looked for. */
const MAX_BYTES = 2_000_000;

export interface FollowedSession {
  readonly chatView: ChatView;
  /** What a call changed. */
  changes(callId: string): Promise<FileChange[]>;
}

interface FileChange {
  path: string;
  before: FileContent | null | undefined;
  after?: FileContent | null | undefined;
}

/** Lines of a file, from 1, both included; absent: the whole file. */
export interface FollowedPlace {
  path: string;
  lines?: { from: number; to: number };
}

/** How the editor finds files and reads them. */
export interface FollowedFiles {
  /** The path of a file that a call names; undefined: it is not in the workspace. */
  resolve(named: string, worktree: string | undefined): string | undefined;
  encoding: EncodingNames;
}

/**
 * The places of the calls whose results are in the message, in their order. Those of a session that is only opened have none. `failed`:
 * a place could not be found.
 */
export async function followedPlaces(
  event: TaskEvent,
  session: FollowedSession,
  files: FollowedFiles,
  failed: (error: unknown) => void,
): Promise<FollowedPlace[]> {
  if (event.type !== "message" || session.chatView.status === "idle") return [];
  const rows = rowsOf(session.chatView);
  const places: FollowedPlace[] = [];
  for (const block of event.message.blocks) {
    if (block.type !== "tool-result" || block.outcome !== "done") continue;
    const row = rows.find(({ id }) => id === block.callId);
    if (row?.kind !== "call") continue;
    try {
      const place = await placeOf(session, row, files);
      // A language server would fetch what such a file names.
      if (place && !opensAsPlainText(place.path)) places.push(place);
    } catch (error) {
      failed(error);
    }
  }
  return places;
}

/** The file that a call read or edited, and the lines; undefined: there is nothing to show. */
async function placeOf(
  session: FollowedSession,
  { id, tool, subject, shown }: CallRow,
  files: FollowedFiles,
): Promise<FollowedPlace | undefined> {
  const presentation = presentationOf(session.chatView.faces, tool);
  const work = presentation?.work;
  const path = files.resolve(subject, session.chatView.session?.worktree?.root);
  if (work === "edit") {
    const place = await placeOfEdit(await session.changes(id), files);
    // The path of the change has no links, and the user's may have some.
    return place && path !== undefined && (await realTarget(path)) === place.path
      ? { ...place, path }
      : place;
  }
  if (work !== "read" || !presentation?.opens?.includes("file")) return undefined;
  if (path === undefined) return undefined;
  const [, from, to] = /^(\d+)-(\d+)(?: |$)/.exec(shown?.text ?? "") ?? [];
  return from === undefined ? { path } : { path, lines: { from: Number(from), to: Number(to) } };
}

/** The first change of the first file that is still there. */
async function placeOfEdit(
  changes: readonly FileChange[],
  files: FollowedFiles,
): Promise<FollowedPlace | undefined> {
  const change = changes.find(({ after }) => after);
  if (!change?.after) return undefined;
  const { path, before, after } = change;
  const [was, now] = await Promise.all([textOf(path, before, files), textOf(path, after, files)]);
  const [region] = now === undefined ? [] : changedRegions(was ?? "", now).regions;
  return region
    ? { path, lines: { from: region.startLine, to: Math.max(region.startLine, region.endLine) } }
    : { path };
}

async function textOf(
  path: string,
  content: FileContent | null | undefined,
  { encoding }: FollowedFiles,
): Promise<string | undefined> {
  if (!content || content.bytes.length > MAX_BYTES) return undefined;
  const decoded = await decodeFile(path, content.bytes, encoding);
  return decoded.kind === "text" ? decoded.text : undefined;
}

/**
 * Whether the user scrolled an editor, by its first visible lines before and now. `shown`: the line that is being shown there;
 * undefined: none.
 */
export function isScrolledAway(before: number, now: number, shown: number | undefined): boolean {
  if (now === before) return false;
  // Showing the place scrolls towards it, in steps where scrolling is smooth.
  return shown === undefined || Math.abs(now - shown) > Math.abs(before - shown);
}
