/** What the tests of both tiers of rich-answers share. */
import { DIAGRAMS } from "./diagrams.ts";
import { session, text, user } from "./events.ts";
import { host, openPanel, page, row } from "./suite.ts";

export const diagrams = () => page.getByTestId("diagram");
export const drawn = () => page.locator('[data-testid="diagram"][data-state="drawn"] img');
export const formulas = () => page.getByTestId("math").locator("math");
export const fence = (source: string) => `\`\`\`mermaid\n${source}\n\`\`\`\n`;
export const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
export const FLOW = DIAGRAMS.flowchart ?? "";

export async function answer(words: string, options: Parameters<typeof openPanel>[0] = {}): Promise<void> {
  host.emit(session(), user("?"), text(words));
  await openPanel(options);
  await row("text").first().waitFor();
}
