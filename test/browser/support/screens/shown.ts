/** A screen as both tiers of tests look at it. */
import { expect } from "vitest";
import { findings } from "../axe.ts";
import { japanese } from "../boot.ts";
import { unmarked } from "../focus-marks.ts";
import { unreachable } from "../keyboard-reach.ts";
import { brokenWords, host, misfits, openPanel, overflow, page } from "../suite.ts";
import { screens } from "./all.ts";

/** The width of the narrowest panel, in pixels. */
export const NARROWEST = 250;

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

/** Fails, at the end of the test, if anything on the page needs more than this width, or a short word is divided in it. */
export async function expectFit(width: number): Promise<void> {
  if (page.viewportSize()?.width !== width) await page.setViewportSize({ width, height: 700 });
  expect.soft([...(await misfits()), await overflow()], `${width} px`).toEqual([0]);
  expect.soft(await brokenWords(), `divided at ${width} px`).toEqual([]);
}

/**
 * Fails, at the end of the test, if the narrowest panel is too narrow, axe objects to anything, something can be pressed with the mouse
 * alone, or the focus is not seen.
 */
export async function expectUsable(): Promise<void> {
  await expectFit(NARROWEST);
  expect.soft(await findings(page)).toEqual([]);
  expect.soft(await unreachable(page), "not by keyboard").toEqual([]);
  // What is under the mouse looks as it does with the focus.
  await page.mouse.move(0, 0);
  expect.soft(await unmarked(page), "no mark of the focus").toEqual([]);
}
