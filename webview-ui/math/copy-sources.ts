/** Copies formulas in a selection as their TeX: the text of MathML has lost its structure. */
export function copySources(): void {
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

/** The text with the line breaks of its layout, which only an element in the page has. */
function renderedText(element: HTMLElement): string {
  element.className = "off-screen";
  document.body.append(element);
  // biome-ignore lint/performance/useDomNodeTextContent: only the layout knows where lines break
  const text = element.innerText;
  element.remove();
  return text;
}
