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
  ...["welcome", "history-unfolded", "history-actions", "rules", "servers-open", "servers-add"],
  ...["set-up-problem", "set-up-models", "connections", "problem"],
  ...["turn-unfolded", "result", "answer-rich", "answer-code", "output", "background", "comparison"],
  ...["notices", "error-key", "todo", "find", "message-edited"],
  ...["approval-hunk-left", "approval-scopes", "approval-why", "approval-server", "approval-patch-left"],
  ...["approval-hidden", "approval-line", "question", "server-question", "leave-question"],
  ...["mentions", "chips", "permissions-open", "context", "models", "queue-edited"],
];
