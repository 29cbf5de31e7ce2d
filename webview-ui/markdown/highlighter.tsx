/** Highlights code in the colors of the editor's theme. A chunk of its own, loaded when the first code block is complete. */
import { common, createLowlight } from "lowlight";
import { Fragment, type ReactNode } from "react";
import { TOKEN_KINDS } from "../../src/shared/view/answer-protocol.ts";
import type { Actions } from "../actions.ts";
import styles from "../styles/code-colors.css?text";
import { adoptStyles } from "../toolkit/adopt.ts";

const lowlight = createLowlight(common);

type Nodes = ReturnType<typeof lowlight.highlight>["children"];

/** The code as elements; null when the language is unknown. `shown`: how each piece of text is rendered. */
export function highlight(language: string, code: string, shown?: (text: string) => ReactNode): ReactNode {
  return lowlight.registered(language) ? render(lowlight.highlight(language, code).children, shown) : null;
}

function render(nodes: Nodes, shown: ((text: string) => ReactNode) | undefined): ReactNode[] {
  return nodes.map((node, index) => {
    if (node.type === "text") {
      if (!shown) return node.value;
      // biome-ignore lint/suspicious/noArrayIndexKey: the text is complete and rendered once
      return <Fragment key={index}>{shown(node.value)}</Fragment>;
    }
    if (node.type !== "element") return null;
    const names = node.properties.className;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the text is complete and rendered once
      <span key={index} className={Array.isArray(names) ? names.join(" ") : ""}>
        {render(node.children as Nodes, shown)}
      </span>
    );
  });
}

let started = false;

/**
 * Sets the colors of the editor's theme as CSS properties of the page, and updates them whenever the theme changes: VS Code writes
 * the theme's id into the page.
 */
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
