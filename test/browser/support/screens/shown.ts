/** A screen as both tiers of tests look at it. */
import { expect } from "vitest";
import { japanese } from "../boot.ts";
import { host, misfits, openPanel, overflow, page } from "../suite.ts";
import { screens } from "./all.ts";

export type Language = "en" | "ja";

/** Opens the panel, and resolves when the screen of that name is on it. */
export async function openScreen(name: string, language: Language, width: number): Promise<void> {
  const screen = screens[name];
  if (!screen) throw new Error(`There is no screen named ${name}.`);
  screen.host(host);
  await openPanel({ width, ...(language === "ja" ? { boot: japanese } : {}) });
  await screen.act?.();
  await page.locator(screen.has).first().waitFor();
}

/** Fails, at the end of the test, if anything on the page needs more than this width. */
export async function expectFit(width: number): Promise<void> {
  if (page.viewportSize()?.width !== width) await page.setViewportSize({ width, height: 700 });
  expect.soft([...(await misfits()), await overflow()], `${width} px`).toEqual([0]);
}
