/** A style attribute or an event handler in HTML. The content policy refuses and reports both. */
const ATTRIBUTE = /\s(style|on\w+)\s*=/gi;

/**
 * Runs a library that writes styles as attributes and elements, which the content policy refuses. While `work` runs, everything
 * that a script writes is changed: styles are set as properties, style elements get the page's nonce, and event handlers are
 * removed.
 */
export async function withAllowedStyles<T>(work: () => Promise<T>): Promise<T> {
  const { setAttribute } = Element.prototype;
  const { createElement, createElementNS } = Document.prototype;
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.content ?? "";
  const allowed = (element: Element) => {
    if (element instanceof HTMLStyleElement || element instanceof SVGStyleElement) element.nonce = nonce;
    return element;
  };
  Element.prototype.setAttribute = function (this: Element, name: string, value: string) {
    const isStyle = name === "style" && (this instanceof SVGElement || this instanceof HTMLElement);
    if (isStyle) this.style.cssText = String(value);
    // A picture needs no event handlers.
    else if (!/^on/i.test(name)) setAttribute.call(this, name, value);
  };
  const markup = Object.getOwnPropertyDescriptor(Element.prototype, "innerHTML");
  const setMarkup = markup?.set;
  if (!markup || !setMarkup) throw new Error("the browser has no innerHTML");
  Object.defineProperty(Element.prototype, "innerHTML", {
    ...markup,
    set(this: Element, html: unknown) {
      if (this instanceof HTMLStyleElement || this instanceof SVGStyleElement) {
        setMarkup.call(this, html);
        return;
      }
      setMarkup.call(this, String(html).replace(ATTRIBUTE, " data-refused-$1="));
      for (const styled of this.querySelectorAll("[data-refused-style]")) {
        styled.setAttribute("style", styled.getAttribute("data-refused-style") ?? "");
        styled.removeAttribute("data-refused-style");
      }
    },
  });
  const originals = { createElement, createElementNS };
  document.createElement = (...args: Parameters<typeof createElement>) =>
    allowed(originals.createElement.apply(document, args)) as HTMLElement;
  Object.assign(document, {
    createElementNS: (...args: Parameters<typeof createElementNS>) =>
      allowed(originals.createElementNS.apply(document, args)),
  });
  try {
    return await work();
  } finally {
    Element.prototype.setAttribute = setAttribute;
    Object.defineProperty(Element.prototype, "innerHTML", markup);
    Reflect.deleteProperty(document, "createElement");
    Reflect.deleteProperty(document, "createElementNS");
  }
}
