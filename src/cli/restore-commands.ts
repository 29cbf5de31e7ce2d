/** Restore and undo on a terminal: shows the changes since a message, and asks before restoring or undoing them. */
import path from "node:path";
import {
  CheckpointError,
  ifKept,
  type PlannedFile,
  type RestorePlan,
  type SessionCheckpoints,
} from "../core/checkpoints/checkpoints.ts";
import { unifiedDiff } from "../core/edits/regions.ts";
import type { FileContent, FileStates } from "../core/ports/file-states.ts";
import { isInside } from "../core/roots.ts";
import { decodeFile, type EncodingNames } from "../node/files/encoding-names.ts";
import type { CheckpointView } from "../shared/event.ts";
import { type ChatView, rowsOf } from "../shared/view/reducer.ts";
import { visible } from "../shared/visible.ts";
import { gitStateText, notKeptText, uncoveredText } from "../shared/words/checkpoint-words.ts";
import { reasonWords } from "../shared/words/reasons/reasons.ts";
import type { Translate } from "../shared/words/task-words.ts";
import { askYes, type Terminal } from "./terminal.ts";

/** Maximum files that a question names; the rest is counted. */
const NAMED_FILES = 15;
/** Maximum bytes of a file whose differences are shown. */
const SHOWN_LIMIT = 1_000_000;
/** Maximum characters of a message in the list. */
const TITLE_LENGTH = 60;

export type Extent = "files" | "conversation" | "both";
const EXTENTS = ["files", "conversation", "both"] as const;

export interface RestoreCommandsParts {
  /** The checkpoints of the active session. */
  checkpoints(): SessionCheckpoints;
  files: FileStates;
  /** What names the encoding of a file. */
  encodings: EncodingNames;
  /** The project's folder; paths are shown relative to it. */
  root: string;
  view(): ChatView;
  /** Continues from before that message; resolves with its text. */
  fork(messageId: string): Promise<{ text: string }>;
  terminal: Pick<Terminal, "ask">;
  signal: AbortSignal;
  say(text: string): void;
  t: Translate;
}

export class RestoreCommands {
  readonly #p: RestoreCommandsParts;

  constructor(parts: RestoreCommandsParts) {
    this.#p = parts;
  }

  /** Prints the user's messages, numbered, with the changes after each. */
  async list(): Promise<void> {
    const { say, t } = this.#p;
    const checkpoints = this.#p.checkpoints();
    await checkpoints.settled();
    const places = this.#places();
    if (places.length === 0) return say(`${t("There are no checkpoints yet.")}\n`);
    const views = new Map(checkpoints.views().map((view) => [view.id, view]));
    const width = String(places.length).length;
    for (const [index, { id, text }] of places.entries()) {
      const facts = factsOf(views.get(id), t);
      say(`${String(index + 1).padStart(width)}  ${titleOf(text)}${facts === "" ? "" : `  (${facts})`}\n`);
    }
  }

  /** Prints the differences since a message; the default is the last one. */
  async changes(which: string | undefined): Promise<void> {
    const { checkpoints, files, encodings, say, t } = this.#p;
    const place = this.#place(which ?? String(this.#places().length));
    if (!place) return;
    const changed = await this.#inWords(checkpoints().changes(place.id, false));
    if (!changed) return;
    let isSame = true;
    for (const { path: file, before } of changed) {
      const found = await files.read(file, SHOWN_LIMIT);
      const after = typeof found === "string" ? undefined : found;
      const diff = await diffOf({ file, encodings }, before, after, t);
      if (diff === "") continue;
      isSame = false;
      say(`--- ${before === null ? "/dev/null" : this.#name(file)}\n`);
      say(`+++ ${after === null ? "/dev/null" : this.#name(file)}\n${visible(diff)}\n`);
    }
    if (isSame) say(`${t("No changes since this checkpoint.")}\n`);
  }

  /** Restores files, the conversation, or both. Resolves to the message's text if the conversation is restored. */
  async restore(which: string | undefined, extent: string | undefined): Promise<string | undefined> {
    const { checkpoints, say, t, fork } = this.#p;
    const place = this.#place(which);
    if (!place) return undefined;
    const known = EXTENTS.find((one) => one === extent);
    if (extent !== undefined && !known) {
      say(`${t("/restore accepts files, conversation or both, not {0}.", visible(extent))}\n`);
      return undefined;
    }
    const plan = await this.#planOf(place.id);
    say(`${t("Restore to before this message: {0}", titleOf(place.text))}\n`);
    this.#tell(plan);
    const chosen = known ?? (await this.#askExtent(plan.files.length > 0));
    if (chosen === undefined) return undefined;
    const putsBack = chosen !== "conversation" && plan.files.length > 0;
    if (chosen === "files" && !putsBack) return undefined;
    if (known !== undefined && !(await this.#agrees(t("Restore to this checkpoint?")))) return undefined;
    if (putsBack && !(await this.#carryOut(checkpoints(), plan))) return undefined;
    return chosen === "files" ? undefined : (await fork(place.id)).text;
  }

  /** Undoes the last change that has not been undone; a restore counts as a change. */
  async undo(): Promise<void> {
    const { say, t } = this.#p;
    const checkpoints = this.#p.checkpoints();
    await checkpoints.settled();
    const last = checkpoints
      .views()
      .findLast(({ kind, files, left = 0, undone }) => kind !== "message" && files + left > 0 && !undone);
    if (!last) {
      say(`${t("There is nothing to undo.")}\n`);
      const uncovered = checkpoints.views().findLast((view) => view.uncovered !== undefined)?.uncovered;
      if (uncovered !== undefined) say(`${uncoveredText(t, uncovered)}\n`);
      return;
    }
    const isRestore = last.kind === "restore";
    const plan = await this.#inWords(isRestore ? checkpoints.plan(last.id) : checkpoints.planUndo(last.id));
    if (!plan) return;
    if (plan.files.length === 0) say(`${t("The files are already in their earlier state.")}\n`);
    else this.#tell(plan);
    for (const each of last.kept?.notKept ?? []) say(`${visible(notKeptText(t, each))}\n`);
    if (plan.files.length === 0) return;
    if (last.kept?.git) say(`${visible(gitStateText(t, last.kept.git))}\n`);
    const question = isRestore ? t("Undo the restore?") : t("Undo this change?");
    if (await this.#agrees(question)) await this.#carryOut(checkpoints, plan);
  }

  /** Without a checkpoint of the message, the conversation can still be restored. */
  #planOf(id: string): Promise<RestorePlan> {
    return ifKept(this.#p.checkpoints().plan(id), { id, files: [] });
  }

  #tell({ files }: RestorePlan): void {
    const { say, t } = this.#p;
    if (files.length === 0) {
      say(`${t("No files changed since this checkpoint.")}\n`);
      return;
    }
    say(`${t("Files to restore: {0}", files.length)}\n`);
    this.#listed(files);
    say(`${t("The current content is backed up, so you can undo the restore.")}\n`);
  }

  #listed(files: readonly PlannedFile[]): void {
    const { say, t } = this.#p;
    for (const file of files.slice(0, NAMED_FILES)) {
      const name = this.#name(file.path);
      if (file.lost) say(`  ${t("{0} (not backed up, remains unchanged)", name)}\n`);
      else if (file.mixed) say(`  ${t("{0} (later changes remain)", name)}\n`);
      else if (file.changedSince) say(`  ${t("{0} (changed since)", name)}\n`);
      else say(`  ${file.target === null ? t("{0} (will be deleted)", name) : name}\n`);
    }
    if (files.length > NAMED_FILES) say(`  ${t("and {0} more", files.length - NAMED_FILES)}\n`);
  }

  async #askExtent(hasFiles: boolean): Promise<Extent | undefined> {
    const { terminal, t, signal } = this.#p;
    if (!hasFiles) return (await this.#agrees(t("Restore the conversation?"))) ? "conversation" : undefined;
    const question = t("Restore [f]iles, [c]onversation, [b]oth, or [n]othing:");
    for (;;) {
      const answer = (await terminal.ask(`${question} `, signal))?.trim().toLowerCase();
      if (answer === undefined || /^(n|no|nothing|いいえ)$/.test(answer)) return undefined;
      const chosen = answer === "" ? undefined : EXTENTS.find((extent) => extent.startsWith(answer));
      if (chosen) return chosen;
    }
  }

  #agrees(question: string): Promise<boolean> {
    const { terminal, t, signal } = this.#p;
    return askYes(terminal, t, question, signal);
  }

  /** False: the user declined. */
  async #carryOut(checkpoints: SessionCheckpoints, plan: RestorePlan): Promise<boolean> {
    const { say, t } = this.#p;
    let { files } = plan;
    const since = files.filter(({ changedSince }) => changedSince);
    if (since.length > 0) {
      say(`${t("Files changed since Nekode wrote them: {0}", since.length)}\n`);
      this.#listed(since);
      if (!(await this.#agrees(t("Restore these files too?"))))
        files = files.filter(({ changedSince }) => !changedSince);
      if (files.length === 0) return false;
    }
    const result = await this.#inWords(checkpoints.restore(plan, files));
    if (!result) return false;
    const failed = result.failed.map(
      ({ path: file, fault }) => `${this.#name(file)} (${reasonWords(t, fault)})`,
    );
    say(
      failed.length === 0
        ? `${t("Restored files: {0}", result.restored.length)}\n`
        : `${t("Restored files: {0}. Not restored: {1}", result.restored.length, failed.join(", "))}\n`,
    );
    return true;
  }

  #places(): { id: string; text: string }[] {
    return rowsOf(this.#p.view()).flatMap((row) => (row.kind === "user" ? [row] : []));
  }

  #place(which: string | undefined): { id: string; text: string } | undefined {
    const places = this.#places();
    const place = which !== undefined && /^\d+$/.test(which) ? places[Number(which) - 1] : undefined;
    if (!place)
      this.#p.say(
        `${this.#p.t("There is no such checkpoint. To list all checkpoints, type /checkpoints.")}\n`,
      );
    return place;
  }

  #name(file: string): string {
    return visible(isInside(this.#p.root, file) ? path.relative(this.#p.root, file) : file);
  }

  /** undefined: it failed, and the error was printed. */
  async #inWords<T>(work: Promise<T>): Promise<T | undefined> {
    const { say, t } = this.#p;
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof CheckpointError)) throw error;
      const busy = t("The agent is changing files. Wait until it is done, or stop it first.");
      say(`${error.code === "busy" ? busy : t("This checkpoint no longer exists.")}\n`);
      return undefined;
    }
  }
}

function titleOf(text: string): string {
  const line = visible(text).replace(/\s+/g, " ").trim();
  return line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH - 1)}…` : line;
}

function factsOf(view: CheckpointView | undefined, t: Translate): string {
  if (!view) return "";
  const { files, left, uncovered } = view;
  const facts = [files === 1 ? t("1 file changed") : t("{0} files changed", files)];
  if (left !== undefined) facts.push(t("Too large to back up: {0}", left));
  if (uncovered !== undefined) facts.push(uncoveredText(t, uncovered));
  return facts.join(", ");
}

/** undefined: the content was not kept, or is too large to show. */
async function diffOf(
  { file, encodings }: { file: string; encodings: EncodingNames },
  before: FileContent | null | undefined,
  after: FileContent | null | undefined,
  t: Translate,
): Promise<string> {
  if (before === undefined || after === undefined) return t("(This content was not backed up.)");
  const [from, to] = [await textOf(file, before, encodings), await textOf(file, after, encodings)];
  if (from !== undefined && to !== undefined) return unifiedDiff(from, to).trimEnd();
  const isSame = before && after && Buffer.compare(before.bytes, after.bytes) === 0;
  return isSame ? "" : t("(Binary content: {0} bytes)", (after ?? before)?.bytes.length ?? 0);
}

async function textOf(
  file: string,
  content: FileContent | null,
  names: EncodingNames,
): Promise<string | undefined> {
  if (content === null) return "";
  const decoded = await decodeFile(file, content.bytes, names);
  return decoded.kind === "text" ? decoded.text : undefined;
}
