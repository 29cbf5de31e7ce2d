/** What the tests of both tiers of steady-answers share. */
import type { EventBody } from "../../../src/shared/event.ts";
import { DIAGRAMS } from "./diagrams.ts";
import { page } from "./suite.ts";

export const delta = (words: string): EventBody => ({
  type: "delta",
  messageId: "stream",
  block: 0,
  kind: "text",
  delta: words,
});

export const box = () => page.getByTestId("transcript");

const fence = (source: string) => `\`\`\`mermaid\n${source}\n\`\`\`\n\n`;

export const FLOW = fence(DIAGRAMS.flowchart ?? "");

export const PARAGRAPHS =
  "Some words that fill a line or two in a narrow panel, and then some more.\n\n".repeat(60);

export const diagram = () => page.locator('[data-testid="diagram"][data-state="drawn"] img');
