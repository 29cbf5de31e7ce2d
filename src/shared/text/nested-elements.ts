/** Lists and objects that a model wrote as elements inside a value, as in `<options><option>a</option></options>`. */

/** Element names that only say that the element is an item of a list. */
const ITEM_NAMES = new Set(["item", "option", "choice", "value", "element", "entry"]);

/**
 * The items of a value that consists of two or more elements of one such name, and of nothing else. undefined: it has
 * another form.
 */
export function listInElements(text: string): string[] | undefined {
  const elements = elementsOf(text);
  const name = elements?.[0]?.name;
  if (elements === undefined || name === undefined || !ITEM_NAMES.has(name)) return undefined;
  return elements.length > 1 && elements.every((element) => element.name === name)
    ? elements.map((element) => element.text.trim())
    : undefined;
}

/**
 * The properties of a value that consists of elements with different names, and of nothing else. Each is text, whatever it
 * contains: only the schema of a property says that it is an object again. undefined: the value has another form.
 */
export function objectInElements(text: string): Record<string, string> | undefined {
  const elements = elementsOf(text);
  if (elements === undefined || new Set(elements.map(({ name }) => name)).size < elements.length)
    return undefined;
  return Object.fromEntries(
    elements.map((element) => [element.name, element.text.replace(/^\r?\n|\r?\n$/g, "")]),
  );
}

const ELEMENT = /\s*<([A-Za-z_][\w.-]*)>([\s\S]*?)<\/\1>\s*/y;

/** undefined if there is text outside the elements, or if an element contains another one with its own name. */
function elementsOf(text: string): { name: string; text: string }[] | undefined {
  const elements: { name: string; text: string }[] = [];
  let at = 0;
  while (at < text.length) {
    ELEMENT.lastIndex = at;
    const [whole, name, inner] = ELEMENT.exec(text) ?? [];
    if (whole === undefined || name === undefined || inner === undefined || inner.includes(`<${name}>`))
      return undefined;
    elements.push({ name, text: inner });
    at += whole.length;
  }
  return elements.length > 0 ? elements : undefined;
}
