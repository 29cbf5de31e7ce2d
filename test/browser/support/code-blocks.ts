/** What the tests of both tiers of code-blocks share. */
import { session, text, user } from "./events.ts";
import { host, openPanel, row } from "./suite.ts";

export const TS = '```ts\n// A cat.\nconst cat: Cat = new Cat("neko", 3);\nreturn cat.purr();\n```\n';

export async function answer(words: string, options: Parameters<typeof openPanel>[0] = {}): Promise<void> {
  host.emit(session(), user("?"), text(words));
  await openPanel(options);
  await row("text").first().waitFor();
}
