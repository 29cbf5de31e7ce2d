/**
 * Reads the YAML front matter of a Markdown file: of a rules file, its patterns (`rules.ts` decides to which files they apply); of a workflow,
 * its description.
 */
import * as z from "zod";
import { type Reason, reasonOf } from "../../shared/reason.ts";

/** Characters of the longest front matter. */
const LONGEST = 16 * 1024;

type Yaml = typeof import("yaml");

/** `text`: the content after the front matter. */
type FrontMatter<Fields> = ({ text: string } & Fields) | { why: Reason };

const textsSchema = z
  .union([z.string(), z.array(z.string().nullable())])
  .nullish()
  .transform((value) => (value == null ? [] : [value].flat().filter((item) => item !== null)));
const PATHS = ["paths", "globs", "applyTo"] as const;

/** `paths`: patterns under `paths`, `globs` or `applyTo`, as a list or as text with commas; none: all files. */
export async function readFrontMatter(content: string): Promise<FrontMatter<{ paths: string[] }>> {
  const read = await split(content);
  if ("why" in read) return read;
  const { text, fields } = read;
  // In Cursor's rules, `alwaysApply` overrides the patterns.
  if (fields.alwaysApply === true) return { text, paths: [] };
  const paths: string[] = [];
  for (const key of PATHS) {
    const texts = textsSchema.safeParse(fields[key]);
    if (!texts.success) return { why: reasonOf("front-matter-field", key) };
    paths.push(...texts.data.flatMap(patternsOf));
  }
  return { text, paths: paths.some((path) => path === "**" || path === "**/*") ? [] : paths };
}

/** `description`: undefined if there is none. */
export async function readDescription(content: string): Promise<FrontMatter<{ description?: string }>> {
  const read = await split(content);
  if ("why" in read) return read;
  const { description } = read.fields;
  if (description === undefined || description === null) return { text: read.text };
  if (typeof description !== "string") return { why: reasonOf("front-matter-field", "description") };
  return { text: read.text, description };
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

/** Counted in the file, whose first line opens the front matter. */
function lineOf(yaml: string, offset: number): string {
  return String(yaml.slice(0, offset).split("\n").length + 1);
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
  const parsed = z.record(z.string(), z.unknown()).nullable().safeParse(document.toJS());
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
