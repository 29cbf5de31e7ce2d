/** The keys of search providers, in the editor's secret storage. */
import * as vscode from "vscode";
import { type Disposable, Emitter } from "../core/lifecycle.ts";
import { KEY_PROVIDERS, type KeyProvider } from "../node/net/web-search/search-providers.ts";
import type { Config } from "./editor-settings.ts";

const NAMES: Readonly<Record<KeyProvider, string>> = { brave: "Brave Search", tavily: "Tavily" };
const secretOf = (provider: KeyProvider) => `nekode.searchKey.${provider}`;

export class SearchKeys implements Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #config: Config;
  readonly #changed = new Emitter<void>();
  readonly #listening: Disposable;
  #reminded: KeyProvider | undefined;
  /**
   * The keys as last read. They are cached because the editor answers from another process, and every stored message would wait
   * for it.
   */
  readonly #known = new Map<KeyProvider, Promise<string | undefined>>();

  /** A key was set or removed, in any window. */
  readonly onChange = this.#changed.on;

  constructor(secrets: vscode.SecretStorage, config: Config) {
    this.#secrets = secrets;
    this.#config = config;
    this.#listening = secrets.onDidChange(({ key }) => {
      if (KEY_PROVIDERS.some((provider) => secretOf(provider) === key)) this.#change();
    });
  }

  /** Cached until it changes or is forgotten. */
  get(provider: KeyProvider): Promise<string | undefined> {
    const key = this.#known.get(provider) ?? this.#stored(provider);
    this.#known.set(provider, key);
    return key;
  }

  /** The next caller reads the stored keys again: a change in another window may fire no event. */
  forget(): void {
    this.#known.clear();
  }

  #change(): void {
    this.forget();
    this.#changed.emit();
  }

  async #stored(provider: KeyProvider): Promise<string | undefined> {
    try {
      const key = (await this.#secrets.get(secretOf(provider))) || undefined;
      if (key !== undefined) this.#config.keepSecret(key);
      return key;
    } catch {
      // A machine without a keyring has no stored key.
      return undefined;
    }
  }

  /** The keys that are set. */
  async all(): Promise<string[]> {
    const keys = await Promise.all(KEY_PROVIDERS.map((provider) => this.get(provider)));
    return keys.filter((key) => key !== undefined);
  }

  /** Informs the user, once after each change, that the provider in the settings has no key, because nothing else does. */
  async remind(): Promise<void> {
    const configured = this.#config.settings().search.provider;
    const provider = KEY_PROVIDERS.find((each) => each === configured);
    if (provider === this.#reminded) return;
    this.#reminded = provider;
    if (provider === undefined || (await this.get(provider)) !== undefined) return;
    const set = vscode.l10n.t("Set Search API Key");
    const text = vscode.l10n.t("{0} requires an API key.", NAMES[provider]);
    if ((await vscode.window.showInformationMessage(text, set)) === set) await this.ask();
  }

  /** Prompts for the provider, unless the settings name it, and for its key; an empty one removes it. */
  async ask(): Promise<void> {
    const configured = this.#config.settings().search.provider;
    const provider = KEY_PROVIDERS.find((each) => each === configured) ?? (await askProvider());
    if (provider === undefined) return;
    const key = await vscode.window.showInputBox({
      title: vscode.l10n.t("API key of {0}", NAMES[provider]),
      prompt: vscode.l10n.t("Stored in the editor's secret storage. Leave empty to remove the key."),
      password: true,
      ignoreFocusOut: true,
    });
    if (key === undefined) return;
    if (key.trim() === "") await this.#secrets.delete(secretOf(provider));
    else await this.#secrets.store(secretOf(provider), key.trim());
    this.#change();
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changed.dispose();
  }
}

async function askProvider(): Promise<KeyProvider | undefined> {
  const items = KEY_PROVIDERS.map((provider) => ({ label: NAMES[provider], provider }));
  const chosen = await vscode.window.showQuickPick(items, { title: vscode.l10n.t("Search provider") });
  return chosen?.provider;
}
