/** Reads and changes `config.json` in the folder of the user's configuration. */
import path from "node:path";
import type { Node } from "jsonc-parser";
import { propertyOf, readConfigText } from "../../core/servers/config/config-text.ts";
import {
  type Json,
  replaced,
  withElement,
  withoutChild,
  withProperty,
} from "../../core/servers/config/json-edit.ts";
import { nodeFiles } from "../files/disk-files.ts";
import { changeConfigFile } from "./change-config.ts";
import { nodeAt, type PathStep, type ReadConfig, readUserConfig } from "./user-config.ts";

const EMPTY_FILE = '{\n  "version": 1\n}\n';

/** A path in which an entry of `connections` can be named by its `name`. */
export type KeyPath = readonly PathStep[];

export class UserConfigFile {
  /** Absolute. */
  readonly path: string;

  constructor(configDir: string) {
    this.path = path.join(configDir, "config.json");
  }

  /** Resolves with nothing set if there is no file. Rejects with ConfigError. */
  async read(): Promise<ReadConfig> {
    return readUserConfig(await this.#text(), this.path);
  }

  /** Resolves with the value at `key`; undefined: it is not set. Rejects with ConfigError. */
  async get(key: KeyPath): Promise<unknown> {
    const { config } = await this.read();
    return this.#resolved(await this.#text(), key).reduce<unknown>((value, step) => {
      if (value === null || typeof value !== "object") return undefined;
      return new Map<string, unknown>(Object.entries(value)).get(String(step));
    }, config);
  }

  /**
   * Sets a value; everything else in the file stays as it is, comments included. Resolves with the keys that are new and
   * have no effect; then nothing was written. Rejects with ConfigError, without a change, if the file is not valid now, or
   * would not be.
   */
  async set(key: KeyPath, value: Json): Promise<KeyPath[]> {
    let unknown: KeyPath[] = [];
    await changeConfigFile(this.path, EMPTY_FILE, (text) => {
      const before = readUserConfig(text, this.path).unknown.length;
      const { path: at, value: put } = this.#placed(text, key, value);
      const changed = withValue(text, at, put);
      const after = readUserConfig(changed, this.path).unknown;
      unknown = after.length > before ? after.map(({ path }) => path) : [];
      return unknown.length > 0 ? undefined : changed;
    });
    return unknown;
  }

  /** Resolves with false if it was not set. Rejects as `set`. */
  unset(key: KeyPath): Promise<boolean> {
    return changeConfigFile(this.path, EMPTY_FILE, (text) => {
      readUserConfig(text, this.path);
      const changed = withoutValue(text, this.#resolved(text, key));
      if (changed !== undefined) readUserConfig(changed, this.path);
      return changed;
    });
  }

  async #text(): Promise<string> {
    return (await nodeFiles.stat(this.path)) ? (await nodeFiles.readText(this.path)).text : EMPTY_FILE;
  }

  /** The path and value to write. A new connection also gets its name. */
  #placed(text: string, key: KeyPath, value: Json): { path: PathStep[]; value: Json } {
    const path = this.#resolved(text, key);
    const [first, name] = key;
    if (first !== "connections" || typeof name !== "string") return { path, value };
    const { root } = readConfigText(text);
    const at = path.slice(0, 2);
    if (root && nodeAt(root, at) && path.length > 2) return { path, value };
    const inner = path.length > 2 ? nested(path.slice(2), value) : value;
    const isObject = inner !== null && typeof inner === "object" && !Array.isArray(inner);
    return { path: at, value: isObject ? { name, ...inner } : inner };
  }

  /** Replaces the name of a connection with its index; a new one gets the next index. */
  #resolved(text: string, key: KeyPath): PathStep[] {
    const [first, name, ...rest] = key;
    if (first !== "connections" || typeof name !== "string") return [...key];
    const list = propertyOf(readConfigText(text).root, "connections")?.value.children ?? [];
    const index = list.findIndex((node) => propertyOf(node, "name")?.value.value === name);
    return [first, index < 0 ? list.length : index, ...rest];
  }
}

/** `path`: with indexes. Creates what is missing on the way; a new connection gets a name with its first value. */
function withValue(text: string, path: readonly PathStep[], value: Json): string {
  const { root } = readConfigText(text);
  if (!root) return `${JSON.stringify({ version: 1, ...nested(path, value) }, null, 2)}\n`;
  const existing = nodeAt(root, path);
  if (existing) return replaced(text, existing, value);
  for (let length = path.length - 1; ; length--) {
    const parent = nodeAt(root, path.slice(0, length));
    if (!parent) continue;
    const step = path[length] ?? "";
    const inner = path.slice(length + 1).reduceRight<Json>((within, each) => ({ [each]: within }), value);
    if (parent.type === "array") return withElement(text, parent, inner);
    const child =
      typeof path[length + 1] === "number" ? [firstElement(path.slice(length + 2), value)] : inner;
    if (parent.type === "object") return withProperty(text, parent, String(step), child);
    return replaced(text, parent, { [step]: child });
  }
}

function firstElement(path: readonly PathStep[], value: Json): Json {
  return path.reduceRight<Json>((within, each) => ({ [each]: within }), value);
}

function nested(path: readonly PathStep[], value: Json): { [key: string]: Json } {
  const [first = "", second, ...rest] = path;
  if (second === undefined) return { [first]: value };
  return typeof second === "number"
    ? { [first]: [firstElement(rest, value)] }
    : { [first]: nested([second, ...rest], value) };
}

function withoutValue(text: string, path: readonly PathStep[]): string | undefined {
  const { root } = readConfigText(text);
  const parent = root && nodeAt(root, path.slice(0, -1));
  const step = path.at(-1);
  if (!parent || step === undefined) return undefined;
  const child = childOf(parent, step);
  return child && withoutChild(text, { ...child, parent });
}

function childOf(parent: Node, step: PathStep): { offset: number; value: Node } | undefined {
  if (typeof step === "string") return propertyOf(parent, step);
  const value = parent.children?.[step];
  return value && { offset: value.offset, value };
}
