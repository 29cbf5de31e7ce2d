/**
 * The rules of the project and the user, for the panel: lists, switches, opens and creates them, and reports changes.
 */
import { mkdir, writeFile } from "node:fs/promises";
import * as path from "node:path";
import * as vscode from "vscode";
import { type Disposable, DisposableStore, Emitter } from "../../core/lifecycle.ts";
import { systemClock } from "../../node/clock.ts";
import type { Params, Result } from "../../shared/protocol.ts";
import { ruleSourceSchema } from "../../shared/rule-list.ts";
import type { Config } from "../editor-settings.ts";
import { resolveInWorkspace, workspace, workspacePath } from "../files/workspace-folders.ts";
import type { RulesSurvey, Services } from "../services.ts";

/** Milliseconds for which changes are collected. */
const GATHER = 100;

export class RulesHost implements Disposable {
  readonly #services: () => Promise<Services>;
  readonly #config: Config;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  #watching = false;
  #timer: Disposable | undefined;

  /** The result of `list` may be out of date. */
  readonly onChange = this.#changed.on;

  constructor(config: Config, services: () => Promise<Services>) {
    this.#config = config;
    this.#services = services;
  }

  async list(): Promise<Result<"rules/list">> {
    const { project, rules: files } = await this.#services();
    if (!this.#watching) this.#watch(files);
    const [rules, commands] = await Promise.all([files.survey(), project.slashCommands()]);
    return {
      rules: rules.map(({ source, name, paths, state }) => ({ source, name, paths, state })),
      workflows: commands.filter(({ kind }) => kind === "workflow"),
      hasWorkspace: workspace.root !== undefined,
    };
  }

  async switch({ what, name, on }: Params<"rules/switch">): Promise<void> {
    if (what === "source") await this.#config.switchRuleSource(ruleSourceSchema.parse(name), on);
    else {
      if (on) (await this.#services()).rules.use(await this.#pathOf(name));
      await this.#config.switchRule(name, on);
    }
  }

  async open(name: string): Promise<void> {
    await vscode.commands.executeCommand("vscode.open", vscode.Uri.file(await this.#pathOf(name)));
  }

  /** A file that already exists is opened unchanged. */
  async create(place: Params<"rules/new">["place"]): Promise<void> {
    const { rules } = await this.#services();
    const folder = place === "global" ? rules.globalFolder : projectFolder(rules);
    const name = await vscode.window.showInputBox({
      title: vscode.l10n.t("New rule"),
      prompt: vscode.l10n.t("Name of the new file in {0}", folder),
      placeHolder: "testing",
      validateInput: (value) =>
        fileName(value) === undefined
          ? vscode.l10n.t("Use only letters, digits, spaces, “.”, “_” and “-”.")
          : null,
    });
    const file = name === undefined ? undefined : fileName(name);
    if (file === undefined) return;
    const target = path.join(folder, file);
    await mkdir(folder, { recursive: true });
    try {
      await writeFile(target, template(), { flag: "wx" });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
    await vscode.commands.executeCommand("vscode.open", vscode.Uri.file(target));
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#store.dispose();
  }

  async #pathOf(name: string): Promise<string> {
    const { rules } = await this.#services();
    if (name.startsWith(`${rules.workflowsFolder}/`)) {
      const file = resolveInWorkspace(name);
      if (file !== undefined) return file;
    }
    const rule = (await rules.survey()).find((rule) => rule.name === name);
    if (!rule) throw new Error(vscode.l10n.t("The rules file {0} no longer exists.", name));
    return rule.path;
  }

  #watch({ globalFolder, mayBeInstructions }: RulesSurvey): void {
    this.#watching = true;
    const onFile = (uri: vscode.Uri) => {
      if (mayBeInstructions(workspacePath(uri.fsPath))) this.#report();
    };
    const global = new vscode.RelativePattern(vscode.Uri.file(globalFolder), "*.md");
    for (const pattern of ["**", global]) {
      const watcher = this.#store.add(vscode.workspace.createFileSystemWatcher(pattern));
      this.#store.add(watcher.onDidCreate(onFile));
      this.#store.add(watcher.onDidChange(onFile));
      this.#store.add(watcher.onDidDelete(onFile));
    }
    this.#store.add(this.#config.onChange(() => this.#report()));
    this.#store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.#report()));
    this.#store.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#report()));
  }

  #report(): void {
    this.#timer ??= systemClock.after(GATHER, () => {
      this.#timer = undefined;
      this.#changed.emit();
    });
  }
}

function projectFolder(rules: RulesSurvey): string {
  if (workspace.root === undefined) throw new Error(vscode.l10n.t("Open a folder to create a project rule."));
  return path.join(workspace.root, rules.projectFolder);
}

function fileName(value: string): string | undefined {
  const name = value.trim().replace(/\.md$/i, "");
  return /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,99}$/u.test(name) ? `${name}.md` : undefined;
}

function template(): string {
  const condition = vscode.l10n.t(
    "To apply this rule to some files only, list their patterns. Without patterns, it always applies.",
  );
  return `---\n# ${condition}\n# paths: ["*.ts"]\n---\n\n`;
}
