/** All that the panel can show, by name: what test/browser/screens.test.ts and screens.long.test.ts look at. A new screen is a line in one of these. */
import { askingScreens } from "./asking.ts";
import { composingScreens } from "./composing.ts";
import { conversationScreens } from "./conversation.ts";
import { coveringScreens } from "./covering.ts";
import type { ShownScreen } from "./screen.ts";

export const screens: Readonly<Record<string, ShownScreen>> = {
  ...coveringScreens,
  ...conversationScreens,
  ...askingScreens,
  ...composingScreens,
};

/**
 * Each kind of screen and of card once, in its densest form: what `npm test` looks at. The others are in the second tier. Those that
 * leave nothing open stand together: they share a page.
 */
export const densest: readonly string[] = [
  ...["welcome", "history-unfolded", "other-agents", "servers-open", "set-up-models", "connections"],
  ...["turn-unfolded", "answer-rich", "notices", "todo", "approval-patch-left", "server-question"],
  ...["approval-scopes", "mentions", "models", "queue-edited"],
];
