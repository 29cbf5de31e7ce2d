/** One thing that the panel can show: how it comes about, and what is on the page then. */
import type { EventBody } from "../../../../src/shared/event.ts";
import { session, user } from "../events.ts";
import type { FakeHost } from "../fake-host.ts";
import { page } from "../suite.ts";

export interface ShownScreen {
  /** What the host has before the page opens. */
  host(host: FakeHost): void;
  /** What the user does then. */
  act?: () => Promise<void>;
  /** CSS selector of what is on the page in the end. */
  has: string;
}

/** A conversation of these events. */
export function talk(
  has: string,
  events: () => readonly EventBody[],
  act?: () => Promise<void>,
  more: (host: FakeHost) => void = () => {},
): ShownScreen {
  const host = (host: FakeHost) => {
    more(host);
    host.emit(session("Make the cat louder"), user("Make the cat louder, and test it"), ...events());
  };
  return act ? { host, act, has } : { host, has };
}

/** By test id. */
export const by = (id: string): string => `[data-testid="${id}"]`;

export const press = (id: string, at = 0): Promise<void> => page.getByTestId(id).nth(at).click();

export async function type(text: string): Promise<void> {
  await page.getByTestId("chat-input").click();
  await page.keyboard.type(text);
}
