import { type ReactNode, useEffect, useState } from "react";
import { usePanel } from "../panel.ts";

/**
 * The highlighted code, or null until the highlighter has loaded, or when it does not support the language. `shown`: how each
 * piece of text is rendered; the same function each time.
 */
export function useColored(
  language: string,
  code: string,
  wanted: boolean,
  shown?: (text: string) => ReactNode,
): ReactNode {
  const { actions } = usePanel();
  const [colored, setColored] = useState<{ code: string; nodes: ReactNode } | null>(null);
  useEffect(() => {
    if (!wanted || language === "") return;
    let current = true;
    import("./highlighter.tsx").then(
      ({ highlight, keepThemeColors }) => {
        keepThemeColors(actions);
        if (current) setColored({ code, nodes: highlight(language, code, shown) });
      },
      (error: unknown) => console.warn("code stays uncolored:", error),
    );
    return () => {
      current = false;
    };
  }, [actions, language, code, wanted, shown]);
  return colored?.code === code ? colored.nodes : null;
}
