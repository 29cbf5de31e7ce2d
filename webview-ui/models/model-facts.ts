/** What is known about a model, in a line and with its sources. */
import type { FactSource, ModelEntry, ModelFacts } from "../../src/shared/models/facts.ts";
import type { Translate } from "../../src/shared/words/task-words.ts";
import { shortCount } from "../text/numbers.ts";

/** Window, price and abilities, as far as they are known; "" if none is. */
export function factsLine(t: Translate, facts: ModelFacts): string {
  const { window, inputPrice, outputPrice, tools, images, reasoning } = facts;
  const parts = [
    ...(window ? [t("{0} tokens", shortCount(window.value))] : []),
    ...(inputPrice && outputPrice ? [priceText(t, inputPrice.value, outputPrice.value)] : []),
    ...(tools?.value === false ? [t("no native tools")] : []),
    ...(images?.value ? [t("images")] : []),
    ...(reasoning?.value ? [t("reasoning")] : []),
  ];
  return parts.join(" · ");
}

/** USD per million tokens of input and of output. */
function priceText(t: Translate, input: number, output: number): string {
  return input === 0 && output === 0 ? t("free") : `${usd(input)} / ${usd(output)}`;
}

function usd(price: number): string {
  return `$${Number(price.toFixed(price < 1 ? 3 : 2))}`;
}

/** Each known fact in a line of its own, with where it comes from. */
export function factsTitle(t: Translate, { name, title, facts }: ModelEntry): string {
  const yes = (value: boolean) => (value ? t("yes") : t("no"));
  const count = (value: number) => value.toLocaleString("en-US");
  const rows: [
    string,
    { value: number | boolean; source: FactSource; origin?: string | undefined } | undefined,
    string,
  ][] = [
    [t("Context window"), facts.window, facts.window ? t("{0} tokens", count(facts.window.value)) : ""],
    [
      t("Longest answer"),
      facts.maxOutput,
      facts.maxOutput ? t("{0} tokens", count(facts.maxOutput.value)) : "",
    ],
    [t("Input, per million tokens"), facts.inputPrice, facts.inputPrice ? usd(facts.inputPrice.value) : ""],
    [t("Cached input"), facts.cachedPrice, facts.cachedPrice ? usd(facts.cachedPrice.value) : ""],
    [
      t("Output, per million tokens"),
      facts.outputPrice,
      facts.outputPrice ? usd(facts.outputPrice.value) : "",
    ],
    [t("Native tool calls"), facts.tools, facts.tools ? yes(facts.tools.value) : ""],
    [t("Images"), facts.images, facts.images ? yes(facts.images.value) : ""],
    [t("Reasoning"), facts.reasoning, facts.reasoning ? yes(facts.reasoning.value) : ""],
  ];
  const lines = rows.flatMap(([label, fact, value]) =>
    fact ? [t("{0}: {1} ({2})", label, value, sourceText(t, fact))] : [],
  );
  return [title === undefined ? name : `${title}\n${name}`, ...lines].join("\n");
}

function sourceText(
  t: Translate,
  { source, origin }: { source: FactSource; origin?: string | undefined },
): string {
  const words = {
    table: t("from Nekode's table"),
    endpoint: t("from the endpoint"),
    learned: t("from its answers"),
    settings: t("from your settings"),
  };
  return origin === undefined ? words[source] : `${words[source]}: ${origin}`;
}
