import * as vscode from "vscode";

/** A secret storage that counts how often it is read. While `locked`, reading fails as without a keyring. */
export class MemorySecrets implements vscode.SecretStorage {
  readonly #values = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();
  readonly onDidChange = this.#changed.event;
  asked = 0;
  locked = false;
  async keys(): Promise<string[]> {
    return [...this.#values.keys()];
  }
  async get(key: string): Promise<string | undefined> {
    this.asked += 1;
    if (this.locked) throw new Error("no keyring");
    return this.#values.get(key);
  }
  async store(key: string, value: string): Promise<void> {
    this.#values.set(key, value);
    this.#changed.fire({ key });
  }
  async delete(key: string): Promise<void> {
    this.#values.delete(key);
    this.#changed.fire({ key });
  }
}
