/**
 * Chords of VS Code, such as Ctrl+K Y. VS Code receives every key press of the panel and runs the chord's command, but the
 * page receives the keys too: without this, the second one would be typed into the text field that has the focus.
 */

/** How long VS Code waits for a chord's second key, in milliseconds. */
const PATIENCE = 5_000;
const MODIFIERS: ReadonlySet<string> = new Set(["Control", "Shift", "Alt", "AltGraph", "Meta", "CapsLock"]);

/** Suppresses what a chord's keys would do in the page, for as long as the page exists. */
export function followChords(page: Window): void {
  const isMac = /Mac/.test(page.navigator.userAgent);
  /** When the chord began, by the events' own clock. */
  let startedAt: number | undefined;
  const isFirst = ({ code, key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent) => {
    const [wanted, other] = isMac ? [metaKey, ctrlKey] : [ctrlKey, metaKey];
    return wanted && !other && !shiftKey && !altKey && (key.toLowerCase() === "k" || code === "KeyK");
  };
  page.addEventListener(
    "keydown",
    (event) => {
      if (event.isComposing || event.keyCode === 229 || MODIFIERS.has(event.key)) return;
      const isSecond = startedAt !== undefined && event.timeStamp - startedAt < PATIENCE;
      startedAt = !isSecond && isFirst(event) ? event.timeStamp : undefined;
      // VS Code's own listener is on the window too, so the event must continue there.
      if (isSecond || startedAt !== undefined) event.preventDefault();
    },
    { capture: true },
  );
  // The second key is pressed outside the page, where only VS Code receives it.
  page.addEventListener("blur", () => {
    startedAt = undefined;
  });
}

function isEditing({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent, isMac: boolean): boolean {
  const [wanted, other] = isMac ? [metaKey, ctrlKey] : [ctrlKey, metaKey];
  if (!wanted || other || altKey) return false;
  const letter = key.toLowerCase();
  return letter === "z" || (!shiftKey && (letter === "a" || letter === "y"));
}

/**
 * Keys that edit the text field with the focus. VS Code receives every key press of the panel and performs these in the panel too,
 * but only once it knows that the panel has the focus; until then it performs them in the code editor, and what is typed
 * next replaces the code.
 *
 * Leaves these keys to the browser, for as long as the page exists.
 */
export function editHere(page: Window): void {
  const isMac = /Mac/.test(page.navigator.userAgent);
  page.document.addEventListener("keydown", (event) => {
    const [target] = event.composedPath();
    const isField = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
    // The second key of a chord is VS Code's.
    if (isField && !event.defaultPrevented && isEditing(event, isMac)) event.stopPropagation();
  });
}
