/** What the tests of both tiers of models share. */
import { expect } from "vitest";
import { focused, page } from "./suite.ts";

export const button = () => page.getByTestId("model-picker");
export const search = () => page.getByTestId("model-search");
export const options = () => page.getByTestId("model-option");
export const ids = () => options().locator(".model-id").allTextContents();
export const active = () =>
  page.locator("[data-testid=model-option][aria-selected=true] .model-id").textContent();

export async function openList(): Promise<void> {
  await button().click();
  await options().filter({ hasText: "o4-mini" }).waitFor();
  await searchReady();
}

/** The field of the search is drawn some time before it takes the focus, and with it what is typed. */
export const searchReady = () => expect.poll(() => focused()).toBe("model-search");
