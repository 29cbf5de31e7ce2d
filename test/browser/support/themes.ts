/**
 * The colors that VS Code 1.100 gives a webview, of its four default themes: those that the panel and its toolkit use, as
 * themes.json has them from a real window. What a theme has no color for is absent there, as in VS Code.
 */
import type { Page } from "playwright-core";
import * as z from "zod";
// Part of the program, wherever it is bundled to.
import themes from "./themes.json" with { type: "json" };

/** Fonts of the machines that run tests. */
const FONTS = {
  "--vscode-font-family": 'system-ui, "IPAPGothic", sans-serif',
  "--vscode-font-size": "13px",
  "--vscode-font-weight": "normal",
  "--vscode-editor-font-family": '"DejaVu Sans Mono", "IPAGothic", monospace',
  "--vscode-editor-font-size": "14px",
};

const variables = z.record(z.string(), z.string());
const colors = z
  .object({
    dark: variables,
    light: variables,
    "high-contrast": variables,
    "high-contrast-light": variables,
  })
  .parse(themes);

export type ThemeName = keyof typeof colors;

interface Theme {
  bodyClass: string;
  variables: Readonly<Record<string, string>>;
}

const theme = (name: ThemeName, bodyClass: string): Theme => ({
  bodyClass,
  variables: { ...FONTS, ...colors[name] },
});

export const THEMES: Readonly<Record<ThemeName, Theme>> = {
  dark: theme("dark", "vscode-dark"),
  light: theme("light", "vscode-light"),
  "high-contrast": theme("high-contrast", "vscode-high-contrast"),
  "high-contrast-light": theme("high-contrast-light", "vscode-high-contrast vscode-high-contrast-light"),
};

export const THEME_NAMES: readonly ThemeName[] = ["dark", "light", "high-contrast", "high-contrast-light"];

/** Shows an open page in another theme, as VS Code does when the user chooses one. */
export async function changeTheme(page: Page, name: ThemeName): Promise<void> {
  const { bodyClass, variables } = THEMES[name];
  const none = THEME_NAMES.flatMap((other) => Object.keys(colors[other]));
  const colorsOf = { ...Object.fromEntries(none.map((color) => [color, "initial"])), ...variables };
  await page.evaluate(
    async ({ bodyClass, json }) => {
      for (const [color, value] of Object.entries(JSON.parse(json)))
        document.documentElement.style.setProperty(color, String(value));
      document.body.className = bodyClass;
      // The toolkit's elements follow in the next frame.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    },
    // As one value: Playwright looks at each value of an argument by itself.
    { bodyClass, json: JSON.stringify(colorsOf) },
  );
}
