/**
 * Keys that edit the text field with the focus. VS Code receives every key press of the panel and performs these in the panel too,
 * but only once it knows that the panel has the focus; until then it performs them in the code editor, and what is typed
 * next replaces the code.
 */

function isEditing({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent, isMac: boolean): boolean {
  const [wanted, other] = isMac ? [metaKey, ctrlKey] : [ctrlKey, metaKey];
  if (!wanted || other || altKey) return false;
  const letter = key.toLowerCase();
  return letter === "z" || (!shiftKey && (letter === "a" || letter === "y"));
}

/** Leaves these keys to the browser, for as long as the page exists. */
export function editHere(page: Window): void {
  const isMac = /Mac/.test(page.navigator.userAgent);
  page.document.addEventListener("keydown", (event) => {
    const [target] = event.composedPath();
    const isField = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
    // The second key of a chord is VS Code's.
    if (isField && !event.defaultPrevented && isEditing(event, isMac)) event.stopPropagation();
  });
}
