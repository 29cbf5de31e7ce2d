/** Highlights code. A chunk of its own, loaded when the first code block is complete. */
import { common, createLowlight } from "lowlight";
import type { ReactNode } from "react";

const lowlight = createLowlight(common);

type Nodes = ReturnType<typeof lowlight.highlight>["children"];

/** The code as elements; null when the language is unknown. */
export function highlight(language: string, code: string): ReactNode {
  return lowlight.registered(language) ? render(lowlight.highlight(language, code).children) : null;
}

function render(nodes: Nodes): ReactNode[] {
  return nodes.map((node, index) => {
    if (node.type === "text") return node.value;
    if (node.type !== "element") return null;
    const names = node.properties.className;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the text is complete and rendered once
      <span key={index} className={Array.isArray(names) ? names.join(" ") : ""}>
        {render(node.children as Nodes)}
      </span>
    );
  });
}
