/** What the tests of both tiers of foot share. */
import { page } from "./suite.ts";

export const totals = {
  requests: 11,
  inputTokens: 252_000,
  outputTokens: 9_800,
  cachedTokens: 189_000,
  contextTokens: 64_000,
  contextWindow: 128_000,
};

export const picker = () => page.getByTestId("permission-picker");

export const option = (level: string) => page.locator(`[data-testid=permission-option][data-level=${level}]`);

export const ring = () => page.getByTestId("context-meter");
