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

/** Each kind of screen and of card once, in its densest form: what `npm test` looks at. The others are in the second tier. */
export const densest: readonly string[] = [
  ...["welcome", "history-unfolded", "rules", "servers-open", "servers-add", "set-up-models", "connections"],
  ...["turn-unfolded", "answer-rich", "answer-code", "notices", "todo", "approval-scopes", "approval-why"],
  ...["approval-server", "approval-patch-left", "approval-hidden", "approval-line", "server-question"],
  ...["mentions", "chips", "models", "queue-edited"],
];
