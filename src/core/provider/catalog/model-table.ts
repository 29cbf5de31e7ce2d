/** The facts about models that ship with the product, by the model's name: a fallback for what an endpoint does not report. */
import type { ModelFacts } from "../../../shared/models/facts.ts";
import * as z from "../../../shared/zod.ts";
import { mergedFacts, withSource } from "./fact-layers.ts";
import table from "./model-table.json";

const tokens = z.int().check(z.gte(256));
const price = z.number().check(z.gte(0), z.lte(1_000));

const rowSchema = z.strictObject({
  /**
   * A regular expression, without anchors, for the id of a model: it must match from the beginning of the id, or from
   * after a `/` or `.` that ends the maker's or host's name, and up to a separator.
   */
  match: z.string().check(z.minLength(2)),
  /** Key of `sources`. */
  source: z.string(),
  window: z.optional(tokens),
  maxOutput: z.optional(tokens),
  /**
   * USD per million tokens: input, input read from a cache, output, and input written to a cache. If prices depend on the
   * length of the prompt, they are those of the shortest prompts. They apply only at the source's hosts, because other hosts
   * charge other prices for the same model.
   */
  price: z.optional(z.tuple([price, z.nullable(price), price, z.optional(price)])),
  tools: z.optional(z.boolean()),
  images: z.optional(z.boolean()),
  reasoning: z.optional(z.boolean()),
});

const sourceSchema = z.strictObject({
  page: z.string().check(z.minLength(1)),
  date: z.iso.date(),
  hosts: z.optional(z.array(z.string())),
});

/** Exported for the test of the table. */
export const tableSchema = z.strictObject({
  /** Where the facts come from, and when they were read there (ISO 8601). */
  sources: z.record(z.string(), sourceSchema),
  /** More specific rows come first: a fact is that of the first row that matches and has it. */
  rows: z.array(rowSchema),
});
type Row = z.infer<typeof rowSchema>;

/** In tokens; used if neither the endpoint nor the settings nor the table has a window. */
export const FALLBACK_CONTEXT_WINDOW = 128_000;

/** The table before its entries are read. */
interface Unread {
  readonly sources: Readonly<Record<string, unknown>>;
  readonly rows: readonly { readonly match: string }[];
}

export class ModelTable {
  readonly #sources: Unread["sources"];
  readonly #rows: readonly { row: Unread["rows"][number]; lead: string }[];

  /**
   * Throws if an entry of `data` is wrong. Default: the table that ships with the product, which its test has checked; an entry is read
   * when a model matches it.
   */
  constructor(data?: unknown) {
    const { sources, rows }: Unread = data === undefined ? table : tableSchema.parse(data);
    this.#sources = sources;
    this.#rows = rows.map((row) => ({ row, lead: leadOf(row.match) }));
  }

  /** Returns what the table has about a model of that name at that address. */
  facts(model: string, baseUrl = ""): ModelFacts {
    const id = model.trim();
    const host = URL.canParse(baseUrl.trim()) ? new URL(baseUrl.trim()).hostname : "";
    const lowered = id.toLowerCase();
    // To make a pattern costs more than to use it, and few can match.
    const possible = this.#rows.filter(({ lead }) => lowered.includes(lead));
    const matches = possible.flatMap(({ row }) =>
      patternOf(row.match).test(id) ? [rowSchema.parse(row)] : [],
    );
    const priced = matches.find(
      ({ price, source }) => price && this.#sourceOf(source)?.hosts?.includes(host),
    );
    // The first row takes precedence, so it is merged last.
    const values = matches.map((row) => this.#factsOf(row)).reverse();
    return mergedFacts(...values, priced ? this.#pricesOf(priced) : {});
  }

  #factsOf({ match: _, source, price: __, ...values }: Row): ModelFacts {
    return withSource(values, "table", this.#origin(source));
  }

  #pricesOf({ source, price = [0, null, 0] }: Row): ModelFacts {
    const [inputPrice, cachedPrice, outputPrice, cacheWritePrice] = price;
    const prices = { inputPrice, cachedPrice: cachedPrice ?? undefined, outputPrice, cacheWritePrice };
    return withSource(prices, "table", this.#origin(source));
  }

  #origin(source: string): string {
    const { page, date } = this.#sourceOf(source) ?? { page: source, date: "" };
    return `${page}, ${date}`;
  }

  #sourceOf(source: string): z.infer<typeof sourceSchema> | undefined {
    return z.optional(sourceSchema).parse(this.#sources[source]);
  }
}

/** Letters, in lower case, that any id contains which a pattern matches; "": the pattern does not begin with letters that stand in all. */
function leadOf(match: string): string {
  // Outside parentheses, a bar separates patterns of which each may match.
  if (/^(?:[^()|]|\((?:[^()]|\([^()]*\))*\))*\|/.test(match)) return "";
  const letters = /^[a-z]+/i.exec(match)?.[0] ?? "";
  const isOptional = /^[?*{]/.test(match.slice(letters.length));
  return (isOptional ? letters.slice(0, -1) : letters).toLowerCase();
}

function patternOf(match: string): RegExp {
  return new RegExp(`(?:^|[/.:@])(?:${match})(?=$|[-_:/@.])`, "i");
}
