/** Sets the colors of the editor's theme as CSS properties of the page, for highlighted code. Part of the highlighter's chunk. */
import { TOKEN_KINDS } from "../../src/shared/view/answer-protocol.ts";
import type { Actions } from "../actions.ts";
import styles from "../styles/code-colors.css?text";
import { adoptStyles } from "../toolkit/adopt.ts";

let started = false;

/** Updates the colors whenever the theme changes: VS Code writes the theme's id into the page. */
export function keepThemeColors(actions: Pick<Actions, "quietly">): void {
  if (started) return;
  started = true;
  adoptStyles(styles);
  let current: string | undefined;
  const read = async () => {
    const theme = document.body.dataset.vscodeThemeId ?? "";
    if (theme === current) return;
    current = theme;
    const answer = await actions.quietly("answer/colors", { theme });
    // The user chose another theme in the meantime.
    if (theme !== current) return;
    const { style } = document.documentElement;
    for (const kind of TOKEN_KINDS) {
      const color = answer?.colors[kind];
      if (color === undefined) style.removeProperty(`--token-${kind}`);
      else style.setProperty(`--token-${kind}`, color);
    }
  };
  new MutationObserver(() => void read()).observe(document.body, {
    attributes: true,
    attributeFilter: ["data-vscode-theme-id"],
  });
  void read();
}
