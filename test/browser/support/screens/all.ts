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
