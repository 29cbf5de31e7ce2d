/** `nekode worktree`: reviews and ends the worktrees of tasks. */
import path from "node:path";
import type { FoundWorktree } from "../../core/agent/project/project-worktrees.ts";
import type { Project } from "../../core/agent/project.ts";
import { ToolError } from "../../core/errors.ts";
import { lossesOf } from "../../core/ports/worktrees.ts";
import { WorktreeUnavailable } from "../../core/sessions/open/worktree-use.ts";
import { visible } from "../../shared/visible.ts";
import { noticeText } from "../../shared/words/notice-words.ts";
import { reasonText } from "../../shared/words/reasons/reasons.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import { mergedText } from "../../shared/words/worktree-words.ts";
import { EXIT_CODE } from "../run.ts";
import { jsonLine, oneLine, type Screen } from "../screen.ts";
import { askYes, type Terminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import type { WorktreeOptions } from "./worktree-options.ts";

export interface WorktreeCommandDeps {
  project: Project;
  screen: Screen;
  /** undefined: there is nobody to ask. */
  terminal: Terminal | undefined;
  signal: AbortSignal;
  t: Translate;
}

/** Resolves with the exit code. */
export async function runWorktreeCommand(
  options: WorktreeOptions,
  deps: WorktreeCommandDeps,
): Promise<number> {
  const { screen, t } = deps;
  try {
    return await new WorktreeCommand(options, deps).run();
  } catch (error) {
    const fault = error instanceof ToolError ? error.fault : undefined;
    if (error instanceof WorktreeUnavailable)
      await screen.err(`${noticeText(t, error.code, [error.branch])}\n`);
    else if (fault) await screen.err(`nekode: ${visible(reasonText(t, fault))}\n`);
    else throw error;
    return EXIT_CODE.error;
  }
}

class WorktreeCommand {
  readonly #options: WorktreeOptions;
  readonly #deps: WorktreeCommandDeps;

  constructor(options: WorktreeOptions, deps: WorktreeCommandDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  async run(): Promise<number> {
    const { action } = this.#options;
    const { project, signal, screen } = this.#deps;
    const { worktrees } = project;
    if (action.kind === "help") return EXIT_CODE.completed;
    const all = await worktrees.list(signal);
    if (action.kind === "list") return this.#list(all);
    const target = worktreeNamed(all, action.name);
    switch (action.kind) {
      case "diff":
        await screen.out(await worktrees.diff(target.worktree, signal));
        return EXIT_CODE.completed;
      case "open":
        await screen.out(`${target.worktree.root}\n`);
        return EXIT_CODE.completed;
      case "merge":
        return this.#merge(target);
      case "keep":
        return this.#keep(target);
      case "discard":
        return this.#discard(target);
    }
  }

  async #list(all: readonly FoundWorktree[]): Promise<number> {
    const { project, signal, screen, t } = this.#deps;
    if (all.length === 0 && !this.#options.json) await screen.err(`${t("No task has a worktree.")}\n`);
    for (const target of all) {
      const { worktree, session } = target;
      const state = await project.worktrees.state(worktree, signal);
      if (!state) continue;
      const [files, commits] = [state.changes.length, state.commits];
      const name = nameOf(target);
      const about = { name, ...worktree, session: session?.id ?? null, title: session?.title ?? null };
      if (this.#options.json) await screen.out(jsonLine({ ...about, files, commits }));
      else {
        const title = session ? oneLine(session.title) : t("no task");
        const size = t("Changed files: {0}, commits: {1}", String(files), String(commits));
        await screen.out(`${visible(name)}  ${visible(worktree.branch)}  ${size}  ${title}\n`);
      }
    }
    return EXIT_CODE.completed;
  }

  async #merge(target: FoundWorktree): Promise<number> {
    const { project, signal, t } = this.#deps;
    const { worktree } = target;
    const merged = await project.worktrees.merge(worktree, this.#message(target), signal);
    await this.#say(mergedText(t, merged, worktree.branch));
    if (merged.type === "conflicts" || merged.type === "would-overwrite") return EXIT_CODE.unanswered;
    const lost = await project.view.removeWorktree(worktree, { losing: [], branch: "delete" }, signal);
    if (lost.length === 0) return EXIT_CODE.completed;
    await this.#say(
      t("The worktree was not removed, because these files exist only there:"),
      ...lost.map((each) => `  ${each}`),
      t("To remove it with them: {0}", `nekode worktree discard ${nameOf(target)} --yes`),
    );
    return EXIT_CODE.completed;
  }

  async #keep(target: FoundWorktree): Promise<number> {
    const { project, signal, t } = this.#deps;
    const { worktree } = target;
    await project.worktrees.commit(worktree, this.#message(target), signal);
    const code = await this.#remove(target, "keep");
    if (code === EXIT_CODE.completed)
      await this.#say(t("The branch {0} contains all changes.", worktree.branch));
    return code;
  }

  async #discard(target: FoundWorktree): Promise<number> {
    const { t } = this.#deps;
    const code = await this.#remove(target, "delete");
    if (code === EXIT_CODE.completed) await this.#say(t("The worktree was removed."));
    return code;
  }

  /** Lists what would be deleted, and removes the worktree if the user agrees. */
  async #remove(target: FoundWorktree, branch: "keep" | "delete"): Promise<number> {
    const { project, signal, terminal, t } = this.#deps;
    const state = await project.worktrees.state(target.worktree, signal);
    const losing = state ? lossesOf(state) : [];
    const commits = branch === "delete" ? (state?.commits ?? 0) : 0;
    if (losing.length > 0 || commits > 0) {
      await this.#say(t("Removing the worktree also deletes:"), ...losing.map((each) => `  ${each}`));
      if (commits > 0)
        await this.#say(
          `  ${t("{0} commits on the branch {1}, unless they are merged", String(commits), target.worktree.branch)}`,
        );
      if (!this.#options.yes && !(await agrees(terminal, t, signal))) {
        await this.#say(
          t("Nothing was removed. Run the command again with --yes to delete the items above."),
        );
        return EXIT_CODE.unanswered;
      }
    }
    const lost = await project.view.removeWorktree(target.worktree, { losing, branch }, signal);
    if (lost.length === 0) return EXIT_CODE.completed;
    await this.#say(t("These files changed in the meantime, so nothing was removed:"), ...lost);
    return EXIT_CODE.unanswered;
  }

  #message({ worktree, session }: FoundWorktree): string {
    return this.#options.message ?? (session?.title || worktree.branch);
  }

  async #say(...lines: string[]): Promise<void> {
    for (const line of lines) await this.#deps.screen.err(`${visible(line)}\n`);
  }
}

async function agrees(terminal: Terminal | undefined, t: Translate, signal: AbortSignal): Promise<boolean> {
  return terminal !== undefined && askYes(terminal, t, t("Delete it?"), signal);
}

function nameOf({ worktree }: FoundWorktree): string {
  return path.basename(worktree.path);
}

/** Throws UsageError. */
function worktreeNamed(all: readonly FoundWorktree[], name: string): FoundWorktree {
  const target = all.find(
    (each) => nameOf(each) === name || each.worktree.branch === name || each.session?.id === name,
  );
  if (target) return target;
  throw new UsageError(`there is no worktree ${name}; nekode worktree list lists them`);
}
