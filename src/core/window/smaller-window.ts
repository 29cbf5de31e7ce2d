/** The adaptation to an endpoint that rejects a prompt as too long. */
import type { Adaptation } from "../provider/adaptations.ts";
import type { Fitter } from "./fit.ts";

/**
 * Fits the messages once more, with the window that the endpoint's error states or implies. The limit is two because
 * prompts for native calls and for XML differ.
 */
export function smallerWindow(fitter: Pick<Fitter, "learn">): Adaptation {
  return {
    name: "smaller window",
    most: 2,
    matches: ({ error }, { refits }) => refits === 0 && error.view.code === "context-length",
    learn: ({ error }) => fitter.learn(error),
    change: (plan) => ({ ...plan, refits: 1 }),
  };
}
