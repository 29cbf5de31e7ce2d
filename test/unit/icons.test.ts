/** The icons that VS Code draws as they are, on the backgrounds of its own themes; and those that it colors itself. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as z from "zod";

/** Backgrounds of tabs, active and inactive, of the default themes. */
const BACKGROUNDS = {
  light: ["#ffffff", "#f8f8f8", "#f3f3f3", "#ececec"],
  dark: ["#000000", "#181818", "#1e1e1e", "#1f1f1f", "#2d2d2d"],
};

const icon = (name: string) => readFileSync(new URL(`../../media/${name}`, import.meta.url), "utf8");

/** The relative luminance of WCAG 2.2, from 0 to 1. */
function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

it.each(["light", "dark"] as const)("the icon of an editor tab contrasts with %s themes", (kind) => {
  const [, color = ""] = /stroke="(#[0-9a-f]{6})"/.exec(icon(`tab-${kind}.svg`)) ?? [];
  expect(color).not.toBe("");
  for (const background of BACKGROUNDS[kind]) expect(contrast(color, background)).toBeGreaterThan(4.5);
});

it("the icon of the activity bar has no color of its own", () => {
  const view = z.object({ icon: z.string() });
  const { contributes } = z
    .object({ contributes: z.object({ viewsContainers: z.record(z.string(), z.array(view)) }) })
    .parse(JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")));
  const icons = Object.values(contributes.viewsContainers).flat();
  expect(icons.map((view) => view.icon)).toEqual(icons.map(() => "media/nekode.svg"));
  expect(icon("nekode.svg")).not.toMatch(/#[0-9a-f]{3}/i);
  // The same drawing.
  expect(icon("tab-dark.svg").replace("#c5c5c5", "currentColor")).toBe(icon("nekode.svg"));
  expect(icon("tab-light.svg").replace("#424242", "currentColor")).toBe(icon("nekode.svg"));
});
