/** Events as a session of the agent emits them. */
import type { EventBody, TaskEvent } from "../../src/shared/event.ts";

export const ofSession = (event: EventBody, session = "s"): TaskEvent => ({ session, ...event });
