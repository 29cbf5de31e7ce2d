/**
 * Reads the YAML front matter of a Markdown file: of a rules file, its patterns (`rules.ts` decides to which files they apply); of a
 * file that defines something, such as a skill, all fields.
 */
import { type Reason, reasonOf } from "../../shared/reason.ts";
import * as z from "../../shared/zod.ts";

/** Characters of the longest front matter. */
const LONGEST = 16 * 1024;

type Yaml = typeof import("yaml");

/** `text`: the content after the front matter. */
type FrontMatter<Fields> = ({ text: string } & Fields) | { why: Reason };

const textsSchema = z.pipe(
  z.nullish(z.union([z.string(), z.array(z.nullable(z.string()))])),
  z.transform((value) => (value == null ? [] : [value].flat().filter((item) => item !== null))),
);
const PATHS = ["paths", "globs", "applyTo"] as const;

/** What the front matter of a rules file says. */
export interface RuleFields {
  /** Patterns under `paths`, `globs` or `applyTo`, as a list or as text with commas; none: all files. */
  paths: string[];
  /** All fields, which nobody has checked. */
  fields: Record<string, unknown>;
}

export async function readFrontMatter(content: string): Promise<FrontMatter<RuleFields>> {
  const read = await split(content);
  if ("why" in read) return read;
  const { text, fields } = read;
  // In Cursor's rules, `alwaysApply` overrides the patterns.
  if (fields.alwaysApply === true) return { text, paths: [], fields };
  const paths: string[] = [];
  for (const key of PATHS) {
    const texts = textsSchema.safeParse(fields[key]);
    if (!texts.success) return { why: reasonOf("front-matter-field", key) };
    paths.push(...texts.data.flatMap(patternsOf));
  }
  return { text, fields, paths: paths.some((path) => path === "**" || path === "**/*") ? [] : paths };
}

/** All fields, which nobody has checked. `byLine`: they are not valid YAML, and their lines were read one by one. */
export async function readFields(
  content: string,
): Promise<FrontMatter<{ fields: Record<string, unknown>; byLine?: true }>> {
  const read = await split(content);
  if (!("why" in read) || read.why.code !== "front-matter-not-yaml") return read;
  // The commonest fault is a colon in a text without quotes.
  const repaired = content.replace(FRONT_MATTER, (block) =>
    block.replace(UNQUOTED, quotedLine).replace(HINT, quotedLine),
  );
  if (repaired === content) return read;
  const again = await split(repaired);
  return "why" in again ? read : { ...again, byLine: true };
}

/**
 * The fields of a file that is YAML or JSON as a whole, which nobody has checked. `faultyLine`: it is neither there; "": it expands to
 * more than a whole file may contain.
 */
export async function readYamlFile(
  content: string,
): Promise<{ fields: Record<string, unknown> } | { faultyLine: string }> {
  const yaml = await import("yaml");
  try {
    const document = yaml.parseDocument(content.replace(/^\ufeff/, ""), { prettyErrors: false });
    const [fault] = document.errors;
    if (fault) return { faultyLine: lineAt(content, fault.pos[0]) };
    return { fields: fieldsOf(yaml, document) ?? {} };
  } catch {
    // Its aliases expand to more than a whole file may contain, or it nests thousands of lists.
    return { faultyLine: "" };
  }
}

/** The front matter of a file, with the lines around it. */
const FRONT_MATTER = /^\ufeff?---[ \t]*\r?\n[\s\S]*?^---[ \t]*(?:\r?\n|$)/m;
/** A field with a text of one line that contains a colon and no quotes around it. */
const UNQUOTED = /^([\w-]+:[ \t]+)([^\s"'|>[{&*!%@`#][^\r\n]*:(?:[ \t][^\r\n]*)?)$/gm;
/** Hints such as `[from] [to]` begin like a list. */
const HINT = /^(argument-hint:[ \t]+)(\[[^\r\n]*)$/gm;

function quotedLine(_: string, key: string, value: string): string {
  return `${key}${JSON.stringify(value.trim())}`;
}

/** A comma within braces is part of the pattern. */
function patternsOf(text: string): string[] {
  return text
    .split(/,(?![^{]*\})/)
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

async function split(content: string): Promise<FrontMatter<{ fields: Record<string, unknown> }>> {
  const open = /^\ufeff?---[ \t]*\r?\n/.exec(content)?.[0];
  if (open === undefined) return { text: content, fields: {} };
  const rest = content.slice(open.length);
  const close = /^---[ \t]*(?:\r?\n|$)/m.exec(rest);
  if (!close) return { text: content, fields: {} };
  const tooLarge = { why: reasonOf("front-matter-too-large", `${LONGEST / 1024} KB`) };
  if (close.index > LONGEST) return tooLarge;
  const text = rest.slice(close.index + close[0].length);
  const plain = plainFields(rest.slice(0, close.index));
  if (plain) return { text, fields: plain };
  // Loaded on demand, because most files have no front matter, and most processes read none of these files.
  const yaml = await import("yaml");
  try {
    const document = yaml.parseDocument(quoted(rest.slice(0, close.index)), { prettyErrors: false });
    const [fault] = document.errors;
    if (fault) return { why: reasonOf("front-matter-not-yaml", lineOf(rest, fault.pos[0])) };
    const fields = fieldsOf(yaml, document);
    // Without fields, it is no front matter but a part of the document between two lines.
    return fields === undefined ? { text: content, fields: {} } : { text, fields };
  } catch {
    // Its aliases expand to more than a whole file may contain, or it nests thousands of lists.
    return tooLarge;
  }
}

/**
 * The fields of front matter that has only texts and truth values of one line: nearly all has. Hundreds of files are read so when a
 * session starts, in which the YAML parser would take a hundred times as long. undefined: something else is in it.
 */
function plainFields(yaml: string): Record<string, unknown> | undefined {
  const fields: Record<string, unknown> = {};
  for (const line of yaml.split(/\r?\n/)) {
    if (line === "") continue;
    const [, key = "", quotedText, plain = ""] = plainField().exec(line.trimEnd()) ?? [];
    if (key === "" || Object.hasOwn(fields, key) || key === "__proto__") return undefined;
    if (quotedText !== undefined) fields[key] = quotedText;
    else if (/^(?:true|false)$/.test(plain)) fields[key] = plain === "true";
    else if (NOT_TEXT.test(plain)) return undefined;
    else fields[key] = plain;
  }
  return Object.keys(fields).length === 0 ? undefined : fields;
}

/** A key, and a text in double quotes without escapes, or one that begins with a letter and has no sign that means something in YAML. */
const plainField = () =>
  /^([A-Za-z][\w-]*):[ \t]+(?:"([^"\\\p{C}]*)"|(\p{L}(?:[^:#\p{C}]|:(?=\S)|(?<=\S)#)*))$/u;
/** What YAML may take for something other than a text. */
const NOT_TEXT = /^(?:true|false|null)$/i;

/** Counted in the file, whose first line opens the front matter. */
function lineOf(yaml: string, offset: number): string {
  return String(yaml.slice(0, offset).split("\n").length + 1);
}

function lineAt(yaml: string, offset: number): string {
  return String(yaml.slice(0, offset).split("\n").length);
}

/** undefined: it contains something other than fields. */
function fieldsOf(
  { isAlias, Scalar, visit }: Yaml,
  document: ReturnType<Yaml["parseDocument"]>,
): Record<string, unknown> | undefined {
  const anchors = new Set<string>();
  visit(document, {
    Node(_, node) {
      if (!isAlias(node) && "anchor" in node && node.anchor !== undefined) anchors.add(node.anchor);
    },
  });
  visit(document, {
    Alias(_, { source }) {
      return anchors.has(source) ? undefined : new Scalar(`*${source}`);
    },
  });
  const parsed = z.nullable(z.record(z.string(), z.unknown())).safeParse(document.toJS());
  return parsed.success ? (parsed.data ?? {}) : undefined;
}

/**
 * Many rules files have patterns such as `globs: *.ts,*.tsx`, which YAML takes for aliases. They are quoted where they
 * begin a value of one line, without a change of the number of lines.
 */
function quoted(yaml: string): string {
  return yaml.replace(
    /^([ \t]*(?:-[ \t]+|["']?(?:paths|globs|applyTo)["']?[ \t]*:[ \t]+))(\*[^\r\n]*?)([ \t]+#[^\r\n]*)?[ \t]*(?=\r?$)/gm,
    (_, key: string, value: string, comment = "") => `${key}${JSON.stringify(value)}${comment}`,
  );
}
