/** The messages of a stored session in parts, so that reading them does not block other work. */
import type { Message } from "../../../shared/message.ts";
import type { Clock } from "../../ports/system.ts";
import { giveWay } from "../../wait.ts";
import type { SessionStore } from "../session-store.ts";

/**
 * Number of messages to load before the session is shown, and in each further load, which takes about 25 ms and goes through those
 * that it skips.
 */
export const FIRST_PAGE_SIZE = 240;
const NEXT_PAGE_SIZE = 1_200;

/**
 * Reads the messages before the newest `FIRST_PAGE_SIZE` messages, the later parts first. Other due work runs before each part,
 * because VS Code sends to the panel in a timer, which reading the next part would delay.
 */
export async function* earlierPages(
  store: Pick<SessionStore, "load">,
  id: string,
  clock: Clock,
): AsyncGenerator<readonly Message[]> {
  for (let skip = FIRST_PAGE_SIZE; ; skip += NEXT_PAGE_SIZE) {
    await giveWay(clock);
    const page = await store.load(id, { skip, count: NEXT_PAGE_SIZE });
    if (!page) throw new Error(`session ${id} is gone`);
    if (page.messages.length === 0 && skip >= page.summary.messageCount) return;
    yield page.messages;
  }
}
