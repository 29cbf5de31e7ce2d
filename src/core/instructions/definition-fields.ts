/** Reads the fields of front matter that others wrote, leniently: a value of another form counts as absent and is reported. */
import type { DefinitionProblem } from "../../shared/definition-list.ts";
import type { DefinitionScope, DefinitionSource } from "../../shared/definition-origin.ts";
import { groupedDigits } from "../../shared/text/grouped-digits.ts";
import type { PluginOrigin } from "../ports/plugins.ts";
import { boundedLine } from "../servers/server-text.ts";
import type { DefinitionFile } from "./definition-files.ts";

/** What skills, commands and agents have in common. */
export interface FileDefinition {
  /** By which it is called. */
  name: string;
  description: string;
  /** For the user: the file. */
  file: string;
  source: DefinitionSource;
  scope: DefinitionScope;
  /** Absolute. */
  path: string;
  /** The folder of the file. Absolute, with all links resolved. */
  folder: string;
  /** The folder that contains its real path. Absolute. */
  within: string;
  /** The plugin that it is from. */
  plugin?: PluginOrigin;
  /** What to write after the name. */
  hint?: string;
  /** Names of arguments, in the order in which words are assigned to them. */
  argumentNames: readonly string[];
  byModel: boolean;
  byUser: boolean;
  /** The file without its front matter. */
  body: string;
  problems: DefinitionProblem[];
  /** Why it cannot be used. The user can still call it, and the model then says why. */
  fault?: DefinitionProblem;
}

const LONGEST_NAME = 64;
const LONGEST_HINT = 120;

export class DefinitionFields {
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly problems: DefinitionProblem[] = [];

  constructor(fields: Readonly<Record<string, unknown>>) {
    this.#fields = fields;
  }

  has(key: string): boolean {
    return (this.#fields[key] ?? undefined) !== undefined;
  }

  /** One line; "": there is none. */
  text(key: string): string {
    const value = this.#fields[key] ?? "";
    if (value === "") return value;
    if (typeof value === "string" || typeof value === "number")
      return String(value).replace(/\s+/g, " ").trim();
    this.#faulty(key);
    return "";
  }

  /** A text that many write in brackets without quotes, which makes it a list in YAML. */
  bracketed(key: string): string {
    const value = this.#fields[key];
    const items = Array.isArray(value) && value.every((item) => typeof item === "string") ? value : undefined;
    return items ? `[${items.join(", ")}]` : this.text(key);
  }

  flag(key: string, standard: boolean): boolean {
    const value = this.#fields[key] ?? standard;
    if (typeof value === "boolean") return value;
    const word = String(value).toLowerCase();
    if (["true", "yes", "on", "1"].includes(word)) return true;
    if (["false", "no", "off", "0"].includes(word)) return false;
    this.#faulty(key);
    return standard;
  }

  /** A list, or a text whose items are separated by `separator`. */
  list(key: string, separator: RegExp): string[] {
    const value = this.#fields[key] ?? undefined;
    if (value === undefined) return [];
    const items = typeof value === "string" ? value.split(separator) : value;
    if (!Array.isArray(items) || items.some((item) => typeof item !== "string")) {
      this.#faulty(key);
      return [];
    }
    return items.map((item: string) => item.trim()).filter((item) => item !== "");
  }

  /** Reports those of the keys that are set, because they have no effect. */
  withoutEffect(keys: readonly string[]): void {
    for (const key of keys) if (this.has(key)) this.problems.push({ code: "not-honored", value: key });
  }

  #faulty(key: string): void {
    this.problems.push({ code: "field", value: key });
  }
}

/** The name by which a skill, command or agent can be called: one word. `named`: what its file or folder is called. */
export function callName(fields: DefinitionFields, named: string): string {
  const given = fields.text("name") || named;
  if (given.length <= LONGEST_NAME && /^[A-Za-z0-9][A-Za-z0-9-]*$/.test(given)) return given;
  const name = boundedLine(given, 200)
    .replace(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[._-]+|[._-]+$/g, "");
  if (given.length > LONGEST_NAME)
    fields.problems.push({ code: "name-too-long", value: String(LONGEST_NAME) });
  if (name !== given) fields.problems.push({ code: "name-changed", value: name });
  return name;
}

/** The name of something in a plugin has the name of the plugin before it. */
export function nameInPlugin(name: string, plugin: Pick<PluginOrigin, "name"> | undefined): string {
  return plugin && name !== "" ? `${plugin.name}:${name}` : name;
}

/** The description in one line, cut where it is longer than what others show. */
export function describedIn(fields: DefinitionFields, text: string, most: number): string {
  const line = boundedLine(text, Number.POSITIVE_INFINITY);
  if (line.length <= most) return line;
  fields.problems.push({ code: "description-cut", value: groupedDigits(most) });
  return boundedLine(line, most);
}

/** What is the same for each kind of definition. */
export function commonFields(
  { name: file, source, scope, path, folder, within, plugin }: DefinitionFile,
  fields: DefinitionFields,
): Omit<FileDefinition, "name" | "description" | "byModel" | "byUser" | "body" | "problems"> {
  const argumentNames = fields.list("arguments", /[\s,]+/).filter((name) => /^[A-Za-z_]\w*$/.test(name));
  const hint = boundedLine(
    fields.bracketed("argument-hint") || argumentNames.map((name) => `[${name}]`).join(" "),
    LONGEST_HINT,
  );
  return {
    file,
    source,
    scope,
    path,
    folder,
    within,
    ...(plugin ? { plugin } : {}),
    argumentNames,
    ...(hint === "" ? {} : { hint }),
  };
}
