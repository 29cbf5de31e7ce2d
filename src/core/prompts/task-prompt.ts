/** The system prompt of a task. It derives from the facts alone: the same facts give the same text, so that the prefix stays the same. */
import type { WindowKind } from "../../shared/models/window-contents.ts";
import type { Protocol } from "../provider/provider.ts";
import type { Wording } from "../tools/set/wording.ts";
import { type PromptFacts, type PromptSource, promptFacts } from "./prompt-facts.ts";
import { PROMPT_SECTIONS, sectionText } from "./sections.ts";

/** The sections that the session has, in order. */
export function systemPrompt(facts: PromptFacts): string {
  const texts = PROMPT_SECTIONS.map((section) => sectionText(section, facts));
  return texts.filter((text) => text !== "").join("\n\n====\n\n");
}

/** A text within the system prompt that is of another kind than the rest. */
export interface PromptPart {
  kind: WindowKind;
  text: string;
}

export class TaskPrompt {
  readonly #source: PromptSource;

  constructor(source: PromptSource) {
    this.#source = source;
  }

  text(protocol: Protocol, wording: Wording): string {
    return systemPrompt(promptFacts(this.#source, protocol, wording));
  }

  parts(protocol: Protocol, wording: Wording): PromptPart[] {
    const facts = promptFacts(this.#source, protocol, wording);
    return PROMPT_SECTIONS.flatMap(({ counted }) =>
      counted ? [{ kind: counted.kind, text: counted.text(facts) }] : [],
    );
  }
}
