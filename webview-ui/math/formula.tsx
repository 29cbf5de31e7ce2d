/** A formula as MathML. A chunk of its own, loaded with the first formula. */

import { useLayoutEffect, useMemo, useRef } from "react";
import temml from "temml";
import temmlStyles from "temml/dist/Temml-Local.css?text";
import styles from "../styles/math.css?text";
import { adoptStyles } from "../toolkit/adopt.ts";

adoptStyles(temmlStyles);
adoptStyles(styles);

/** Copies the formulas in a selection as TeX, because the plain text of MathML loses the structure. */
function copySources(): void {
  document.addEventListener("copy", (event) => {
    const selection = document.getSelection();
    if (!selection || selection.isCollapsed || !event.clipboardData || event.defaultPrevented) return;
    const copy = document.createElement("div");
    for (let index = 0; index < selection.rangeCount; index++) {
      copy.append(selection.getRangeAt(index).cloneContents());
    }
    const formulas = copy.querySelectorAll<HTMLElement>("[data-source]");
    if (formulas.length === 0) return;
    for (const formula of formulas) formula.replaceWith(formula.dataset.source ?? "");
    event.clipboardData.setData("text/plain", renderedText(copy));
    event.preventDefault();
  });
}

/** The text with the line breaks of its layout. Only an element that is in the page has a layout. */
function renderedText(element: HTMLElement): string {
  element.className = "off-screen";
  document.body.append(element);
  // biome-ignore lint/performance/useDomNodeTextContent: only the layout knows where lines break
  const text = element.innerText;
  element.remove();
  return text;
}

copySources();

export interface FormulaProps {
  /** TeX without its delimiters. */
  tex: string;
  /** As written, with its delimiters: what is copied. */
  source: string;
  display: boolean;
}

/** Maximum expansions of macros: a formula of a model must not block the page. */
const MAX_EXPANSIONS = 500;
/** Maximum size in em that a formula can specify. */
const MAX_SIZE = 20;

export default function Formula({ tex, source, display }: FormulaProps) {
  const place = useRef<HTMLSpanElement>(null);
  const typeset = useMemo(() => toMathMl(tex, display), [tex, display]);
  useLayoutEffect(() => {
    if (typeset.nodes) place.current?.replaceChildren(...typeset.nodes);
  }, [typeset]);
  if (!typeset.nodes) {
    return (
      <code className="math-source" data-testid="math" data-state="failed" title={typeset.reason}>
        {source}
      </code>
    );
  }
  return (
    <span
      ref={place}
      className={display ? "math-display" : "math-inline"}
      data-testid="math"
      data-source={source}
    />
  );
}

type Typeset = { nodes: ChildNode[]; reason?: never } | { nodes: null; reason: string };

function toMathMl(tex: string, displayMode: boolean): Typeset {
  const holder = document.createElement("span");
  try {
    temml.render(tex, holder, {
      displayMode,
      throwOnError: true,
      // No links, images or styles from the text.
      trust: false,
      strict: false,
      maxSize: [MAX_SIZE, MAX_SIZE],
      maxExpand: MAX_EXPANSIONS,
    });
    return { nodes: [...holder.childNodes] };
  } catch (error) {
    return { nodes: null, reason: error instanceof Error ? error.message : String(error) };
  }
}
