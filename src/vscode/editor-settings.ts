/** The user's current settings and API key. */
import * as vscode from "vscode";
import { type Disposable, DisposableStore, Emitter } from "../core/lifecycle.ts";
import { type Connection, DEFAULT_CONNECTION } from "../shared/models/connection.ts";
import type { RuleSource } from "../shared/rule-list.ts";
import { withAdded } from "../shared/safe-commands.ts";
import { defaultSettings, type Settings } from "../shared/settings.ts";
import { expectedText } from "../shared/words/issue-words.ts";
import { translator } from "../shared/words/task-words.ts";
import { type BadSetting, readSettings } from "./settings-reader.ts";

const SECTION = "nekode";
const KEY_SECRET = "nekode.apiKey";
/** The name of the secret that contains a connection's key. */
const secretOf = (name: string) => (name === DEFAULT_CONNECTION ? KEY_SECRET : `${KEY_SECRET}.${name}`);

export class Config implements Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  #settings: Settings | undefined;
  /** The invalid settings, as last read. */
  #bad: readonly BadSetting[] = [];
  /**
   * The keys as last read. They are cached because the editor answers from another process, and each request would have to wait
   * for it.
   */
  readonly #stored = new Map<string, Promise<string | undefined>>();
  /** Keys of the invalid settings that were reported to the user. */
  readonly #reported = new Set<string>();
  /** All keys used in this window. */
  readonly #keys = new Set<string>();

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
    const forget = () => {
      this.#settings = undefined;
      this.#changed.emit();
    };
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SECTION)) forget();
      }),
    );
    this.#store.add(vscode.workspace.onDidGrantWorkspaceTrust(forget));
    this.#store.add(
      secrets.onDidChange((event) => {
        if (event.key !== KEY_SECRET && !event.key.startsWith(`${KEY_SECRET}.`)) return;
        this.forgetKeys();
        this.#changed.emit();
      }),
    );
  }

  /** Settings or the key changed. */
  readonly onChange = this.#changed.on;

  /** Cached until something changes. An invalid value counts as not set, and the user is informed once. */
  settings(): Settings {
    if (this.#settings) return this.#settings;
    const configuration = vscode.workspace.getConfiguration(SECTION);
    const { settings, bad } = readSettings((key) => configuration.inspect(key), vscode.workspace.isTrusted);
    this.#settings = settings;
    this.#bad = bad;
    for (const each of bad) this.#report(each);
    for (const key of this.#reported) if (!bad.some((entry) => entry.key === key)) this.#reported.delete(key);
    return settings;
  }

  /** The entries of a list that are ignored because they are invalid, each with what is expected. */
  badEntries(key: string): { entry: string; expected: string }[] {
    this.settings();
    const t = translator(vscode.l10n.bundle ?? {});
    return this.#bad.flatMap(({ key: of, entry, issue }) =>
      of === key && entry !== undefined ? [{ entry, expected: expectedText(t, issue) }] : [],
    );
  }

  /**
   * A connection's key, from the editor's secret storage, otherwise from the environment; undefined: none is set. Cached
   * until it changes or is forgotten.
   */
  async apiKey({ name, keyEnv }: Pick<Connection, "name" | "keyEnv">): Promise<string | undefined> {
    const stored = this.#stored.get(name) ?? this.#readKey(name);
    this.#stored.set(name, stored);
    const variable = keyEnv ?? (name === DEFAULT_CONNECTION ? "NEKODE_API_KEY" : undefined);
    const key = (await stored) || (variable && process.env[variable]?.trim()) || undefined;
    if (key !== undefined) this.#keys.add(key);
    return key;
  }

  /** Adds a key that must not be written to the log. */
  keepSecret(key: string): void {
    this.#keys.add(key);
  }

  /** Values that must not be written anywhere: keys, and headers that may be keys. */
  secrets(): string[] {
    const { provider, connections } = this.#settings ?? defaultSettings;
    const headers = [provider, ...connections].flatMap((each) => Object.values(each.headers));
    return [...this.#keys, ...headers];
  }

  /** The next caller reads the stored keys again: a change in another window may fire no event. */
  forgetKeys(): void {
    this.#stored.clear();
  }

  /** Prompts for a connection's key; an empty one removes it. */
  async askKey(name = DEFAULT_CONNECTION): Promise<void> {
    const key = await vscode.window.showInputBox({
      title: name === DEFAULT_CONNECTION ? vscode.l10n.t("API key") : vscode.l10n.t("API key of {0}", name),
      prompt: vscode.l10n.t("Stored in the editor's secret storage. Leave empty to remove the key."),
      password: true,
      ignoreFocusOut: true,
    });
    if (key !== undefined) await this.storeKey(name, key);
  }

  /** Stores a connection's key; an empty one removes it. */
  async storeKey(name: string, key: string): Promise<void> {
    if (key.trim() === "") await this.#secrets.delete(secretOf(name));
    else await this.#secrets.store(secretOf(name), key.trim());
    this.forgetKeys();
  }

  /**
   * Adds an entry to the user's own allow list; a workspace has none. It applies immediately, and is stored when the
   * promise resolves.
   */
  async allowCommand(prefix: string): Promise<void> {
    const settings = this.settings();
    if (settings.commands.allow.includes(prefix)) return;
    await this.#setAllowed(settings, withAdded(settings.commands.allow, prefix));
  }

  /** Removes an entry from the user's own allow list. Like `allowCommand`, this applies immediately. */
  async disallowCommand(entry: string): Promise<void> {
    const settings = this.settings();
    await this.#setAllowed(
      settings,
      settings.commands.allow.filter((each) => each !== entry),
    );
  }

  async #setAllowed(settings: Settings, allow: string[]): Promise<void> {
    // The model's next call may be judged before the editor has written its file.
    this.#settings = { ...settings, commands: { ...settings.commands, allow } };
    try {
      const target = vscode.ConfigurationTarget.Global;
      await vscode.workspace
        .getConfiguration(SECTION)
        .update("commands.allow", allow.length === 0 ? undefined : allow, target);
    } catch (error) {
      this.#settings = undefined;
      throw error;
    }
  }

  /** Turns every rules file of one source on or off in the user's settings; a workspace cannot change this. */
  async switchRuleSource(source: RuleSource, on: boolean): Promise<void> {
    const rules = { ...this.settings().context.rules, [source]: on };
    const configuration = vscode.workspace.getConfiguration(SECTION);
    await configuration.update("context.rules", rules, vscode.ConfigurationTarget.Global);
  }

  /** Turns one rules file on or off: the user's own in the user's settings, the project's in the workspace's. */
  async switchRule(name: string, on: boolean): Promise<void> {
    const key = "context.rulesOff";
    const configuration = vscode.workspace.getConfiguration(SECTION);
    const inspected = configuration.inspect<unknown>(key);
    const change = async (value: unknown, target: vscode.ConfigurationTarget, off: boolean) => {
      const names = Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
      const without = names.filter((each) => each !== name);
      if (!off && without.length === names.length) return;
      const next = off ? [...without, name] : without;
      await configuration.update(key, next.length === 0 ? undefined : next, target);
    };
    const { Global, Workspace } = vscode.ConfigurationTarget;
    const own = name.startsWith("~");
    // A file that is turned on must be in neither list.
    if (own || on) await change(inspected?.globalValue, Global, !on);
    if (!own || on) await change(inspected?.workspaceValue, Workspace, !on);
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #readKey(name: string): Promise<string | undefined> {
    try {
      return await this.#secrets.get(secretOf(name));
    } catch {
      // A machine without a keyring has no stored key.
      return undefined;
    }
  }

  #report({ key, issue, entry }: BadSetting): void {
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    const open = vscode.l10n.t("Open Settings");
    const t = translator(vscode.l10n.bundle ?? {});
    const values = [`${SECTION}.${key}`, expectedText(t, issue)] as const;
    const text = entry
      ? t("Setting {0} has an invalid entry ({2}); ignoring the entry. {1}", ...values, entry)
      : t("Setting {0} is invalid; using the default. {1}", ...values);
    vscode.window.showWarningMessage(text, open).then((choice) => {
      if (choice === open) return openSettings(`${SECTION}.${key}`);
      return undefined;
    });
  }
}

/**
 * Most of our settings have machine scope, so that no workspace sets them. In a window on another machine (SSH, WSL, a
 * container, a browser) the editor shows those in a separate tab, and finds none in the one it opens first.
 */
export async function openSettings(query = "@ext:nekode.nekode"): Promise<void> {
  const command = vscode.env.remoteName === undefined ? "openSettings" : "openRemoteSettings";
  await vscode.commands.executeCommand(`workbench.action.${command}`, { query });
}
