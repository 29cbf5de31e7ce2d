/** Nekode's models that are offered to other extensions: those that the user chose, used or marked as favorites. */
import { estimateTokens } from "../../core/context/tokens.ts";
import { ProviderError } from "../../core/errors.ts";
import { type OfferedDeps, offeredAnswer } from "../../core/loop/offered-answers.ts";
import { modelNamed } from "../../shared/models/connection.ts";
import { errorText } from "../../shared/words/error-words.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import type { OfferedModelService } from "./chat-provider.ts";

const ANSWER_TOKENS = 8_192;
const WINDOW = 128_000;

export interface OfferedModelsDeps extends OfferedDeps {
  /** `connection/id` each. */
  names(): readonly string[];
  t: Translate;
}

export function offeredModels(deps: OfferedModelsDeps): OfferedModelService {
  const { settings, profiles, names, t } = deps;
  return {
    async list() {
      const { provider } = settings();
      const wanted = new Set([provider.model, provider.planModel, ...names()].filter((name) => name !== ""));
      return [...wanted].flatMap((name) => {
        const choice = modelNamed(name, settings());
        // The editor's own models are already available in its chat.
        if (choice.connection.api === "editor" || choice.connection.baseUrl === "") return [];
        const { window, maxOutput, images } = profiles.of(choice).facts;
        const maxOutputTokens = maxOutput?.value ?? ANSWER_TOKENS;
        const maxInputTokens = Math.max(ANSWER_TOKENS, (window?.value ?? WINDOW) - maxOutputTokens);
        const title = `${choice.model} (${choice.connection.name})`;
        return [{ name, title, maxInputTokens, maxOutputTokens, images: images?.value ?? false }];
      });
    },
    async respond(name, request, report, signal) {
      try {
        await offeredAnswer(deps, modelNamed(name, settings()), request, report, signal);
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        throw new Error(errorText(t, error.view).text, { cause: error });
      }
    },
    countTokens: estimateTokens,
  };
}
