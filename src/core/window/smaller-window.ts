/** What follows from a prompt that an endpoint refused as too long. */
import type { Adaptation } from "../provider/adaptations.ts";
import type { Fitter } from "./fit.ts";

/**
 * The endpoint counts otherwise than we thought: the messages are made to fit once more, with what it said of its window.
 * A prompt for native calls and one for XML differ, so each has its own.
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
