/** The colors of code in a color theme, from the file that contributes it. */
import { parse } from "jsonc-parser";
import type { TOKEN_KINDS } from "../../shared/view/answer-protocol.ts";
import * as z from "../../shared/zod.ts";

export type TokenKind = (typeof TOKEN_KINDS)[number];

/** The scopes that grammars give each kind, the most specific first. */
const SCOPES: Readonly<Record<string, readonly string[]>> = {
  comment: ["comment.line"],
  keyword: ["storage.type", "keyword.other", "keyword"],
  control: ["keyword.control", "keyword"],
  string: ["string.quoted.double"],
  regexp: ["string.regexp"],
  number: ["constant.numeric.decimal"],
  literal: ["constant.language"],
  function: ["entity.name.function"],
  type: ["entity.name.type.class", "entity.name.class", "support.class"],
  variable: ["variable.other.readwrite"],
  property: ["variable.other.property", "support.type.property-name"],
  attribute: ["entity.other.attribute-name"],
  tag: ["entity.name.tag"],
  builtin: ["support.function"],
  meta: ["meta.preprocessor"],
  operator: ["keyword.operator"],
  heading: ["markup.heading"],
  inserted: ["markup.inserted"],
  deleted: ["markup.deleted"],
};

const ruleSchema = z.object({
  scope: z.optional(z.union([z.string(), z.array(z.string())])),
  settings: z.object({ foreground: z.optional(z.string()) }),
});
export const rulesSchema = z.array(ruleSchema);
export type TokenRule = z.infer<typeof ruleSchema>;

const themeSchema = z.object({
  include: z.optional(z.string()),
  // A string instead of rules is the name of a file in another format.
  tokenColors: z.optional(z.union([rulesSchema, z.string()])),
});

/** Maximum number of included files, for themes that include each other. */
const MAX_INCLUDED = 8;

/**
 * The rules of a theme, those of included files first. `read` returns a file's text; `path` is relative to the file
 * that names it. Throws when a file is not a theme.
 */
export async function themeRules(
  path: string,
  read: (path: string) => Promise<string>,
  resolve: (from: string, path: string) => string,
): Promise<TokenRule[]> {
  const layers: TokenRule[][] = [];
  let file: string | undefined = path;
  for (let count = 0; file !== undefined && count < MAX_INCLUDED; count++) {
    const { include, tokenColors } = themeSchema.parse(parse(await read(file)));
    if (Array.isArray(tokenColors)) layers.unshift(tokenColors);
    file = include === undefined ? undefined : resolve(file, include);
  }
  return layers.flat();
}

/** The color of each kind for which a rule has one, as `#rrggbb` or with alpha. */
export function tokenColors(rules: readonly TokenRule[]): Record<string, string> {
  const colors: Record<string, string> = {};
  for (const [kind, scopes] of Object.entries(SCOPES)) {
    const color = scopes.map((scope) => colorOf(scope, rules)).find((color) => color !== undefined);
    if (color !== undefined) colors[kind] = color;
  }
  return colors;
}

/** The longest selector wins, and of equal ones the last. */
function colorOf(scope: string, rules: readonly TokenRule[]): string | undefined {
  let best = { length: 0, color: undefined as string | undefined };
  for (const { scope: selectors = [], settings } of rules) {
    const { foreground } = settings;
    if (foreground === undefined || !/^#[0-9a-f]{3,8}$/i.test(foreground)) continue;
    const all = (Array.isArray(selectors) ? selectors : [selectors]).flatMap((each) => each.split(","));
    for (const selector of all.map((each) => each.trim())) {
      const fits = scope === selector || scope.startsWith(`${selector}.`);
      if (selector !== "" && fits && selector.length >= best.length) {
        best = { length: selector.length, color: foreground };
      }
    }
  }
  return best.color;
}
