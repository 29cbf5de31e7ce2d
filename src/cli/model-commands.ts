/** `/model` and `/cost`: which models there are, which answers, and what it has cost. */
import type { Project } from "../core/agent/project.ts";
import type { View } from "../core/agent/view.ts";
import { Interrupt, messageOf, ProviderError } from "../core/errors.ts";
import type { Mode } from "../shared/message.ts";
import {
  connectionsOf,
  DEFAULT_CONNECTION,
  modelFor,
  modelName,
  modelNamed,
} from "../shared/models/connection.ts";
import type { ModelEntry, ModelFacts } from "../shared/models/facts.ts";
import type { Settings } from "../shared/settings.ts";
import { errorText } from "../shared/words/error-words.ts";
import type { Translate } from "../shared/words/task-words.ts";
import { oneLine } from "./screen.ts";

/** Models of one connection that are listed at once. */
const MOST_LISTED = 100;

export interface ModelCommandsDeps {
  project: Project;
  view: View;
  settings(): Settings;
  /** Stores the choice for later runs and resolves with the location. Rejects with the reason if that is not possible. */
  keep(mode: Mode, name: string): Promise<string>;
  t: Translate;
  say(text: string): void;
  signal: AbortSignal;
}

export class ModelCommands {
  readonly #deps: ModelCommandsDeps;
  /** The names that were last shown, in their order. */
  #shown: readonly string[] = [];
  /** What the endpoints listed, once they were asked. */
  #listed: readonly ModelEntry[] | undefined;

  constructor(deps: ModelCommandsDeps) {
    this.#deps = deps;
  }

  /** Lists the models, or chooses one by its number, its name, or a part of its name. */
  async run(wanted: string): Promise<void> {
    if (wanted === "") return this.#list();
    const numbered = /^\d+$/.test(wanted) ? this.#shown[Number(wanted) - 1] : undefined;
    if (numbered !== undefined) return this.#choose(numbered);
    const { settings } = this.#deps;
    const names = (this.#listed ?? []).map(({ name }) => name);
    const full = modelName(modelNamed(wanted, settings()));
    if (names.length === 0 || names.includes(full)) return this.#choose(full);
    const matching = (this.#listed ?? []).filter(({ name }) =>
      name.toLowerCase().includes(wanted.toLowerCase()),
    );
    const [only, ...others] = matching;
    if (only && others.length === 0) return this.#choose(only.name);
    if (only) return this.#show(matching);
    // Lists can be incomplete.
    return this.#choose(full);
  }

  /** What the conversation has cost so far. */
  cost(): void {
    const { view, t, say } = this.#deps;
    const { totals } = view.active.chatView;
    const { inputTokens, cachedTokens, outputTokens, requests, cost, contextTokens, contextWindow } = totals;
    const usage = [inputTokens, cachedTokens, outputTokens].map(count);
    say(`${t("Input: {0} tokens ({1} cached), output: {2}, requests: {3}", ...usage, requests)}\n`);
    if (contextWindow > 0) {
      const percent = Math.round((100 * contextTokens) / contextWindow);
      say(
        `${t("Context window: {0} of {1} tokens, {2}%", count(contextTokens), count(contextWindow), percent)}\n`,
      );
    }
    say(`${cost === undefined ? t("The cost is not known.") : t("Cost: {0}", `$${cost.toFixed(4)}`)}\n`);
  }

  async #list(): Promise<void> {
    const { project, settings, t, say, signal } = this.#deps;
    const connections = connectionsOf(settings());
    if (connections.length === 0) say(`${t("No connection is set up.")}\n`);
    const lists = await Promise.all(
      connections.map(async (connection) => {
        try {
          return await project.models.list(connection, signal);
        } catch (error) {
          if (signal.aborted) throw error;
          const words = error instanceof ProviderError ? errorText(t, error.view).text : messageOf(error);
          say(`${oneLine(`${connection.name}: ${error instanceof Interrupt ? t("no answer") : words}`)}\n`);
          return [];
        }
      }),
    );
    this.#listed = lists.flat();
    const shown = lists.flatMap((list) => list.slice(0, MOST_LISTED));
    this.#show(shown);
    const left = this.#listed.length - shown.length;
    if (left > 0) say(`${t("… {0} more. Type a part of the name: /model PART", count(left))}\n`);
  }

  #show(entries: readonly ModelEntry[]): void {
    const { say, t } = this.#deps;
    this.#shown = entries.map(({ name }) => name);
    const answering = this.#current();
    const width = Math.max(...entries.map(({ name }) => oneLine(name).length), 0);
    entries.forEach(({ name, facts }, index) => {
      const mark = name === answering ? "*" : " ";
      const number = String(index + 1).padStart(String(entries.length).length);
      say(
        `${mark} ${number}. ${oneLine(name).padEnd(Math.min(width, 60))}  ${factsText(t, facts)}`.trimEnd(),
      );
      say("\n");
    });
    if (!entries.some(({ name }) => name === answering)) say(`${t("Model: {0}", oneLine(answering))}\n`);
  }

  async #choose(name: string): Promise<void> {
    const { project, view, settings, keep, t, say } = this.#deps;
    const { mode } = view.active.chatView;
    await view.active.chooseModel(mode, name);
    const choice = modelNamed(name, settings());
    const known = factsText(t, project.models.facts(choice));
    say(`${t("Model: {0}", oneLine(name))}${known === "" ? "" : `  (${known})`}\n`);
    // The connection of the command line has no name in the configuration.
    const stored = choice.connection.name === DEFAULT_CONNECTION ? choice.model : name;
    try {
      say(`${t("Saved to {0}.", oneLine(await keep(mode, stored)))}\n`);
    } catch (error) {
      say(`${t("It applies to this session only: {0}", oneLine(messageOf(error)))}\n`);
    }
  }

  #current(): string {
    const { view, settings } = this.#deps;
    const { mode, chosen } = view.active.chatView;
    return modelName(modelFor(settings(), mode, chosen));
  }
}

/** "200,000 tokens, $3 / $15" */
function factsText(t: Translate, { window, inputPrice, outputPrice }: ModelFacts): string {
  return [
    window ? t("{0} tokens", count(window.value)) : "",
    inputPrice && outputPrice
      ? t("{0} / {1} per million tokens", `$${inputPrice.value}`, `$${outputPrice.value}`)
      : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
