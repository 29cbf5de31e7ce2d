/**
 * The rules, skills and commands of the project and the user, for the panel: lists, switches and opens them, creates rules, and
 * reports changes.
 */
import * as vscode from "vscode";
import { type Disposable, DisposableStore, Emitter } from "../../core/lifecycle.ts";
import { systemClock } from "../../node/clock.ts";
import type { Params, Result } from "../../shared/protocol.ts";
import { ruleSourceSchema } from "../../shared/rule-list.ts";
import type { Config } from "../editor-settings.ts";
import { workspace, workspacePath } from "../files/workspace-folders.ts";
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
    const { rules: files } = await this.#services();
    if (!this.#watching) this.#watch(files);
    const [rules, definitions] = await Promise.all([files.items(), files.definitions()]);
    return {
      rules,
      definitions: definitions.map(({ item }) => item),
      hasWorkspace: workspace.root !== undefined,
    };
  }

  async switch({ what, name, on }: Params<"rules/switch">): Promise<void> {
    if (what === "source") await this.#config.switchRuleSource(ruleSourceSchema.parse(name), on);
    else {
      if (on) await (await this.#services()).rules.use(name);
      await this.#config.switchRule(name, on);
    }
  }

  async open(name: string): Promise<void> {
    await vscode.commands.executeCommand("vscode.open", vscode.Uri.file(await this.#pathOf(name)));
  }

  async create(place: Params<"rules/new">["place"]): Promise<void> {
    await (await this.#services()).rules.create(place);
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#store.dispose();
  }

  async #pathOf(name: string): Promise<string> {
    const { rules } = await this.#services();
    const definition = (await rules.definitions()).find(({ item }) => item.file === name);
    const rule = definition ?? (await rules.survey()).find((rule) => rule.name === name);
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
