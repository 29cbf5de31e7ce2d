/**
 * Previews and writes the files of one patch. All files are checked again before the first write; if a later write fails,
 * the result names exactly what was written and what was not.
 */
import type { RemovedFile } from "../../../shared/message.ts";
import { unifiedDiff } from "../../edits/regions.ts";
import { Interrupt, messageOf, ToolError } from "../../errors.ts";
import type { ExpectedFile, ProblemWatch } from "../../ports/editor.ts";
import type { CallPreview, ToolContext, ToolOutput } from "../tool.ts";
import { expectedFile, futureRealPath, keepContent, whoWrote } from "./original-file.ts";
import { type FileChoice, fileChoices, leftOutText, type PatchFileChange } from "./patch-choice.ts";
import { callPreview, PreparedEdit } from "./prepared-edit.ts";
import { problemSections } from "./saved-text.ts";

interface Step extends PatchFileChange {
  /** Set if the content changes. */
  edit: PreparedEdit | undefined;
  /** Set for a file that is deleted or moved. */
  expected: ExpectedFile | undefined;
  /** The new path of a file that is moved, with links resolved; otherwise "". */
  target: string;
  backup: RemovedFile | undefined;
}

interface Included {
  step: Step;
  choice: FileChoice;
}

const NOTHING_INCLUDED = "The user took none of the changes. Nothing was written.";

const WHOLE: FileChoice = { isExcluded: false, excludedHunks: [], withoutContent: false };

/** Maximum number of previews that open. Further files appear only in the approval's list. */
const SHOWN_PREVIEWS = 8;

export interface PatchOptions {
  /** Added to the result. */
  notes?: readonly string[];
  /** The patch needs approval whatever the settings allow. */
  asks?: boolean;
  /** The model did not write the texts, and the result only names the changed lines. */
  briefly?: boolean;
  /** The text of the call; see `Description`. */
  written?: string;
  /** For the model, if files changed meanwhile: how to propose the change again. */
  retry?: string;
}

export class PatchRun {
  readonly #context: ToolContext;
  readonly #steps: readonly Step[];
  readonly #options: PatchOptions;
  /** When the patch was proposed; see `TaskWriters`. */
  readonly #since: number | undefined;

  private constructor(context: ToolContext, steps: readonly Step[], options: PatchOptions) {
    this.#context = context;
    this.#options = options;
    this.#since = context.writers?.mark();
    this.#steps = steps;
  }

  static async prepare(
    context: ToolContext,
    changes: readonly PatchFileChange[],
    options: PatchOptions = {},
  ): Promise<PatchRun> {
    const { host } = context;
    const asks = options.asks || (await someAsks(context, changes));
    const steps: Step[] = [];
    const run = new PatchRun(context, steps, options);
    try {
      for (const change of changes) {
        const { path, original, content } = change;
        const step: Step = {
          ...change,
          edit: undefined,
          expected: undefined,
          target: "",
          backup: undefined,
        };
        steps.push(step);
        if (change.kind === "delete" || change.kind === "move") {
          const { size, ...expected } = await expectedFile(context, path);
          step.expected = expected;
          if (change.to) step.target = await futureRealPath(context, change.to.path);
          if (change.kind === "delete") step.backup = await keepContent(host.files, path, change.name, size);
        }
        if (content !== null && content !== original?.text) {
          const show = asks && steps.filter((other) => other.edit).length < SHOWN_PREVIEWS;
          step.edit = await PreparedEdit.open(context, { path, original, text: content }, { show });
        }
      }
      return run;
    } catch (error) {
      await run.discard();
      throw error;
    }
  }

  async discard(): Promise<void> {
    for (const { edit } of this.#steps) await edit?.discard();
  }

  get preview(): CallPreview {
    const edits = this.#steps.flatMap(({ edit }) => edit ?? []);
    return callPreview(edits, (excluded) => {
      for (const [index, choice] of fileChoices(this.#steps, excluded).entries())
        this.#steps[index]?.edit?.choose(
          choice.isExcluded || choice.withoutContent ? "all" : choice.excludedHunks,
        );
    });
  }

  /** Writes what the user includes. `excluded`: the excluded indexes, see `fileChoices`. */
  async run(excluded: readonly number[] = []): Promise<ToolOutput> {
    const choices = fileChoices(this.#steps, excluded);
    const chosen = this.#steps.map((step, index) => ({ step, choice: choices[index] ?? WHOLE }));
    const included = chosen.filter(({ choice }) => !choice.isExcluded);
    const done: string[] = [];
    const texts = chosen.filter(({ choice }) => choice.isExcluded).map(({ step }) => leftOutText(step));
    const notes: string[] = [];
    const removed: RemovedFile[] = [];
    const counts = { added: 0, removed: 0 };
    // Deletions come last, so that no file is deleted before its replacement exists.
    const order = included.sort(
      (a, b) => Number(a.step.kind === "delete") - Number(b.step.kind === "delete"),
    );
    let problems: ProblemWatch | undefined;
    try {
      if (order.length === 0) throw new ToolError(NOTHING_INCLUDED);
      await this.#refuseChanged(order.map(({ step }) => step));
      if (order.length > 1) await Promise.all(this.#steps.map(({ edit }) => edit?.hide()));
      problems = await this.#watchProblems(order);
      for (const [at, { step, choice }] of order.entries()) {
        try {
          const result = await this.#write(step, choice, problems === undefined);
          texts.push(result.text);
          counts.added += result.added;
          counts.removed += result.removed;
          if (step.backup) removed.push(step.backup);
          done.push(step.name);
        } catch (error) {
          if (error instanceof Interrupt || (done.length === 0 && order.length === 1)) throw error;
          if (done.length === 0)
            throw new ToolError(`${messageOf(error)}\nNo other file of the patch was written.`);
          const rest = order.slice(at + 1).map(({ step: { name } }) => name);
          const notWritten = rest.length > 0 ? `\nNot written either: ${rest.join(", ")}.` : "";
          const text = `The patch was written in part. Written: ${done.join(", ")}.\nNot written: ${step.name}: ${messageOf(error)}${notWritten}\n\n${texts.join("\n\n")}`;
          return output(text, counts, removed, true);
        }
      }
      if (problems) notes.push(...problemSections(await problems.newProblems()));
    } finally {
      problems?.dispose();
      await this.discard();
    }
    const files = texts.join(this.#options.briefly ? "\n" : "\n\n");
    return output([files, ...notes, ...(this.#options.notes ?? [])].join("\n\n"), counts, removed, false);
  }

  /** undefined: each file is checked by itself. The first of several files, written alone, may have problems that the others solve. */
  async #watchProblems(included: readonly Included[]): Promise<ProblemWatch | undefined> {
    // A file that moves is checked at its old place.
    const paths = included.flatMap(({ step: { edit, to, path }, choice }) =>
      edit && !to && !choice.withoutContent ? [path] : [],
    );
    return paths.length > 1 ? this.#context.host.editor.watchProblems?.(paths) : undefined;
  }

  /** Throws ToolError if any of these files changed since the proposal, before anything is written. */
  async #refuseChanged(steps: readonly Step[]): Promise<void> {
    const { files } = this.#context.host;
    const wrong: string[] = [];
    for (const { path, name, original, expected, to } of steps) {
      const version = expected?.version ?? original?.version;
      const now = await files.stat(path);
      const who = whoWrote(this.#context, path, this.#since);
      const by = who === undefined ? "" : ` (by ${who})`;
      if (now?.version !== version)
        wrong.push(now === undefined ? `${name} is gone${by}` : `${name} changed${by}`);
      if (to && (await files.stat(to.path))) wrong.push(`${to.name} now exists`);
    }
    if (wrong.length === 0) return;
    throw new ToolError(
      `${wrong.join(", ")} since the patch was proposed. Nothing was changed. ${this.#options.retry ?? "Read the files again and resend the patch."}`,
    );
  }

  async #write(
    step: Step,
    { excludedHunks, withoutContent }: FileChoice,
    checks: boolean,
  ): Promise<{ text: string; added: number; removed: number }> {
    const { host, seen, writers } = this.#context;
    const { path, name, original, content, to } = step;
    const edit = withoutContent ? undefined : step.edit;
    if (step.kind === "delete") {
      if (step.expected) await host.editor.remove(path, step.expected);
      writers?.wrote(path);
      seen.delete(path);
      const lines = original?.text ? original.text.split("\n").length : 0;
      const note = step.backup ? "" : " It was too large to keep a copy of.";
      return { text: `${name} was deleted.${note}`, added: 0, removed: lines };
    }
    let text = "";
    let counts = { added: 0, removed: 0 };
    let { expected } = step;
    if (edit) {
      const limit = Math.floor(this.#context.settings().context.maxResultCharacters / 2 / this.#steps.length);
      const { briefly = false, written } = this.#options;
      const saved = await edit.save({ limit, isOnly: false, briefly, written }, excludedHunks, { checks });
      ({ text } = saved);
      counts = { added: saved.added, removed: saved.removed };
      if (expected) expected = { ...expected, version: (await expectedFile(this.#context, path)).version };
    }
    if (to && expected) {
      await host.editor
        .rename(path, to.path, { ...expected, target: step.target })
        .catch((error: unknown) => {
          if (!edit) throw error;
          throw new ToolError(
            `${name} has its new content, but was not moved to ${to.name}: ${messageOf(error)}`,
          );
        });
      for (const moved of [path, to.path]) writers?.wrote(moved);
      seen.delete(path);
      text = `${name} was moved to ${to.name}.${text === "" ? "" : `\n${text}`}`;
    }
    if (withoutContent && original && content !== null)
      text += `\nThe user left out the changes to its content:\n\n${unifiedDiff(content, original.text)}`;
    const stat = await host.files.stat(to?.path ?? path);
    if (stat) seen.set(to?.path ?? path, stat.version);
    return { text, ...counts };
  }
}

async function someAsks(context: ToolContext, changes: readonly PatchFileChange[]): Promise<boolean> {
  for (const { path, to } of changes) {
    if (!(await context.editAllowed(path))) return true;
    if (to && !(await context.editAllowed(to.path))) return true;
  }
  return false;
}

function output(
  text: string,
  counts: { added: number; removed: number },
  removed: RemovedFile[],
  failed: boolean,
): ToolOutput {
  return {
    parts: [{ type: "text", text }],
    shown: counts,
    ...(failed ? { failed } : {}),
    ...(removed.length > 0 ? { removed } : {}),
  };
}
