import { useRef } from "react";
import { useEnd } from "../../output/output-box.tsx";
import { usePanel } from "../../panel.ts";

/** Stays scrolled to the end while the output grows, until the user scrolls. */
export function Output({ text }: { text: string }) {
  const { t } = usePanel();
  const box = useRef<HTMLPreElement>(null);
  const onScroll = useEnd(box, text);
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <output> belongs to a form, and a <section> is a landmark
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <pre ref={box} className="output" role="group" tabIndex={0} aria-label={t("Output")} onScroll={onScroll}>
      {text}
    </pre>
  );
}
