/** The invocation of a call that changes several files as one: one approval, one run. */
import type { ApprovalView, ChangedFile } from "../../../shared/event.ts";
import { changedRegions } from "../../edits/regions.ts";
import type { Invocation, PathUse, ToolContext } from "../tool.ts";
import { fileIndexes, type PatchFileChange } from "./patch-choice.ts";
import { type PatchOptions, PatchRun } from "./patch-run.ts";
import { hunkRoom, shownEncodings, shownHunks } from "./prepared-edit.ts";

interface FilesOptions extends Omit<PatchOptions, "asks"> {
  /** What makes the change ask whatever the settings allow. */
  doubt?: Pick<Invocation, "alwaysAsks" | "doubt"> | undefined;
}

export async function filesInvocation(
  context: ToolContext,
  changes: readonly PatchFileChange[],
  { doubt, ...options }: FilesOptions = {},
): Promise<Invocation> {
  const run = await PatchRun.prepare(context, changes, { ...options, asks: doubt !== undefined });
  const files = changes.length > 1 ? choosable(changes) : changes.map(summaryOf);
  const sum = (side: "added" | "removed") => files.reduce((total, file) => total + file[side], 0);
  return {
    paths: changes.flatMap(pathsOf),
    view: {
      path: changes[0]?.name ?? "",
      files,
      added: sum("added"),
      removed: sum("removed"),
      ...hunksOfOne(changes),
      ...shownEncodings(changes.filter(({ content }) => content !== null)),
    },
    ...doubt,
    preview: run.preview,
    run: ({ excludedHunks }) => run.run(excludedHunks),
    discard: () => run.discard(),
  };
}

/** The hunks of a patch that only changes one file, or creates it. */
function hunksOfOne([change, ...others]: readonly PatchFileChange[]): Pick<ApprovalView, "hunks"> {
  if (!change || others.length > 0 || change.content === null || change.to) return {};
  return { hunks: shownHunks(change.original?.text ?? "", change.content) };
}

/** The files of a patch that changes several, with the parts that can be excluded. */
function choosable(changes: readonly PatchFileChange[]): ChangedFile[] {
  const room = hunkRoom();
  const indexes = fileIndexes(changes);
  return changes.map((change, file) => {
    const { original, content } = change;
    const hunks = content === null ? undefined : shownHunks(original?.text ?? "", content, room);
    const shown = hunks && hunks.shown.length + hunks.more > 0 ? { hunks } : {};
    return { ...summaryOf(change), at: indexes[file] ?? 0, ...shown };
  });
}

/** The paths that a change touches; for written text, with the text before and after. */
function pathsOf({ path, to, original, content }: PatchFileChange): PathUse[] {
  const write = (each: string, before: string | null): PathUse => ({
    path: each,
    access: "write",
    ...(content === null ? {} : { change: { before, after: content } }),
  });
  if (!to) return [write(path, original?.text ?? null)];
  // A move removes the old path and creates the new one.
  return [{ path, access: "write" }, write(to.path, null)];
}

function summaryOf({ kind, name, to, original, content }: PatchFileChange): ChangedFile {
  const { added, removed } = changedRegions(original?.text ?? "", content ?? "");
  return { path: name, kind, added, removed, ...(to ? { to: to.name } : {}) };
}
