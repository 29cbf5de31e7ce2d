/**
 * What the user does in the page. That the page has the focus says less: when a palette or a dialog that was opened from the side bar
 * closes, VS Code gives the focus to the active editor, which may be another page of the panel, and only then runs the command.
 */

const FUNCTION_KEY = /^F\d+$/;

/**
 * Calls `used` before VS Code hears of the key or button, for as long as the page exists: at what the user does first once the page
 * has the focus, and at all that may start a command.
 */
export function followUse(page: Window, used: () => void): void {
  let isKnown = false;
  const tell = () => {
    isKnown = true;
    used();
  };
  page.addEventListener("blur", () => {
    isKnown = false;
  });
  page.addEventListener("pointerdown", tell, { capture: true });
  // Assistive technology presses and types without a pointer or keys.
  for (const name of ["click", "input"])
    page.addEventListener(name, () => isKnown || tell(), { capture: true });
  page.addEventListener(
    "keydown",
    ({ key, ctrlKey, metaKey, altKey, repeat }) => {
      const mayStart = ctrlKey || metaKey || altKey || FUNCTION_KEY.test(key);
      if (!isKnown || (mayStart && !repeat)) tell();
    },
    { capture: true },
  );
}
