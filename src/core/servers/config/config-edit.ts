/** Changes a configuration file of MCP servers without changing any other text in it. */
import { getNodeValue, type Node } from "jsonc-parser";
import { reasonOf } from "../../../shared/reason.ts";
import { ToolError } from "../../errors.ts";
import { serverName } from "../server-identity.ts";
import { type Property, propertiesOf, propertyOf, readConfigText } from "./config-text.ts";
import { SERVER_KEYS } from "./configuration.ts";
import { type Json, json, replaced, styleOf, withElement, withoutChild, withProperty } from "./json-edit.ts";

export type { Json };

/** Adds an entry, or replaces the one with this name. Throws ToolError if the text is not valid. */
export function withServer(text: string, name: string, entry: Json): string {
  const root = rootOf(text);
  const style = styleOf(text);
  if (!root) {
    const before = text === "" || /\n$/.test(text) ? text : `${text}${style.eol}`;
    return `${before}${json({ mcpServers: { [name]: entry } }, style, "")}${style.eol}`;
  }
  const existing = entriesNamed(root, name).at(-1);
  if (existing) return replaced(text, existing.value, entry);
  const container = SERVER_KEYS.map((key) => propertyOf(root, key)).findLast(
    (each) => each?.value.type === "object",
  );
  if (container) return withProperty(text, container.value, name, entry);
  const present = propertyOf(root, "mcpServers");
  if (present) return replaced(text, present.value, { [name]: entry });
  return withProperty(text, root, "mcpServers", { [name]: entry });
}

/** Removes the entries with this name. undefined: there are none. Throws ToolError if the text is not valid. */
export function withoutServer(text: string, name: string): string | undefined {
  let changed: string | undefined;
  for (;;) {
    const current = changed ?? text;
    const root = rootOf(current);
    const entry = root && entriesNamed(root, name)[0];
    if (!entry) return changed;
    changed = withoutChild(current, entry);
  }
}

/** Sets a key of an entry, such as `disabled`. undefined: there is no such entry. Throws ToolError as above. */
export function withServerValue(text: string, name: string, key: string, value: Json): string | undefined {
  const root = rootOf(text);
  const entry = root && entriesNamed(root, name).findLast((each) => each.value.type === "object");
  if (!entry) return undefined;
  const existing = propertyOf(entry.value, key);
  return existing ? replaced(text, existing.value, value) : withProperty(text, entry.value, key, value);
}

/** Adds inputs whose ids the file does not have yet. Throws ToolError as above. */
export function withInputs(text: string, inputs: readonly { readonly [key: string]: Json }[]): string {
  let changed = text;
  for (const input of inputs) {
    const root = rootOf(changed);
    const list = propertyOf(root, "inputs");
    if (list?.value.children?.some((each) => propertyOf(each, "id")?.value.value === input.id)) continue;
    if (!root) throw new Error("inputs belong to a server, which is added first");
    if (!list) changed = withProperty(changed, root, "inputs", [input]);
    else if (list.value.type === "array") changed = withElement(changed, list.value, input);
    else changed = replaced(changed, list.value, [input]);
  }
  return changed;
}

/** Removes the inputs with these ids. undefined: there are none. Throws ToolError as above. */
export function withoutInputs(text: string, ids: readonly string[]): string | undefined {
  let changed: string | undefined;
  for (;;) {
    const current = changed ?? text;
    const list = propertyOf(rootOf(current), "inputs")?.value;
    const input = list?.children?.find((each) => ids.includes(String(propertyOf(each, "id")?.value.value)));
    if (!list || !input) return changed;
    changed = withoutChild(current, { offset: input.offset, value: input, parent: list });
  }
}

/** The entry that is used under this name, as JSON. undefined: there is none. Throws ToolError as above. */
export function serverText(text: string, name: string): string | undefined {
  const root = rootOf(text);
  const entry = root && entriesNamed(root, name).at(-1);
  return entry && JSON.stringify(getNodeValue(entry.value));
}

/** Whether the file has an entry that is used under this name. Throws ToolError as above. */
export function hasServer(text: string, name: string): boolean {
  const root = rootOf(text);
  return root !== undefined && entriesNamed(root, name).length > 0;
}

function rootOf(text: string): Node | undefined {
  const { root, errorAt, lineAt } = readConfigText(text);
  if (errorAt === undefined && (!root || root.type === "object")) return root;
  const line = lineAt(errorAt ?? 0);
  throw new ToolError(
    `The configuration file is not valid JSON (line ${line}). Nothing was changed.`,
    reasonOf("config-not-json", String(line)),
  );
}

function entriesNamed(root: Node, name: string): (Property & { parent: Node })[] {
  return SERVER_KEYS.flatMap((key) => propertyOf(root, key)?.value ?? []).flatMap((parent) =>
    propertiesOf(parent)
      .filter(({ key }) => key === name || serverName(key) === name)
      .map((property) => ({ ...property, parent })),
  );
}
