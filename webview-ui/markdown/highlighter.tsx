/** Highlights code. A chunk of its own, loaded when the first code block is complete. */
import { common, createLowlight } from "lowlight";
import { Fragment, type ReactNode } from "react";

export { keepThemeColors } from "./theme-colors.ts";

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
