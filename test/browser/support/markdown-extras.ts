/** What the tests of both tiers of markdown-extras share. */
import { session, text, user } from "./events.ts";
import { host, openPanel, page } from "./suite.ts";

export async function answer(words: string, options: Parameters<typeof openPanel>[0] = {}): Promise<void> {
  host.emit(session(), user("?"), text(words));
  await openPanel(options);
  await page.locator(".md p, .md ul, .md table").first().waitFor();
}
