/** The facts about models that ship with the product, by the model's name: a fallback for what an endpoint does not report. */
import * as z from "zod/mini";
import type { ModelFacts } from "../../../shared/models/facts.ts";
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

export class ModelTable {
  readonly #sources: z.infer<typeof tableSchema>["sources"];
  readonly #rows: readonly { row: Row; pattern: RegExp }[];

  /** Throws if an entry is wrong. */
  constructor(data: unknown = table) {
    const { sources, rows } = tableSchema.parse(data);
    this.#sources = sources;
    this.#rows = rows.map((row) => ({ row, pattern: patternOf(row.match) }));
  }

  /** Returns what the table has about a model of that name at that address. */
  facts(model: string, baseUrl = ""): ModelFacts {
    const id = model.trim();
    const host = URL.canParse(baseUrl.trim()) ? new URL(baseUrl.trim()).hostname : "";
    const matches = this.#rows.filter(({ pattern }) => pattern.test(id)).map(({ row }) => row);
    const priced = matches.find(({ price, source }) => price && this.#sources[source]?.hosts?.includes(host));
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
    const { page, date } = this.#sources[source] ?? { page: source, date: "" };
    return `${page}, ${date}`;
  }
}

function patternOf(match: string): RegExp {
  return new RegExp(`(?:^|[/.:@])(?:${match})(?=$|[-_:/@.])`, "i");
}
