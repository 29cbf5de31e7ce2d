/** A style or a handler in HTML, which the content policy refuses and reports. */
const ATTRIBUTE = /\s(style|on\w+)\s*=/gi;

/**
 * Runs a library that writes styles as attributes and elements, which the content policy refuses: meanwhile styles are set as
 * properties, style elements get the page's nonce, and handlers are left out. All of this applies to what a script writes.
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
    // Handlers are left out of a picture.
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
  const made = { createElement, createElementNS };
  document.createElement = (...given: Parameters<typeof createElement>) =>
    allowed(made.createElement.apply(document, given)) as HTMLElement;
  Object.assign(document, {
    createElementNS: (...given: Parameters<typeof createElementNS>) =>
      allowed(made.createElementNS.apply(document, given)),
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
