/** How much the instructions and the descriptions of the tools say. */

/** compact: for small context windows, in which every token of the instructions reduces the space for the conversation. */
export type Wording = "full" | "compact";

/** Tokens of the smallest window with room for the long texts; "32k" of a model may mean exactly that. */
const LEAST_FULL_WINDOW = 32_000;

export function wordingFor(window: number): Wording {
  return window < LEAST_FULL_WINDOW ? "compact" : "full";
}
