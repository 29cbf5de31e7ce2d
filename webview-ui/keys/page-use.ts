/**
 * Observes which page the user uses. The focus alone does not say that: when a palette or a dialog that was opened from the
 * side bar closes, VS Code gives the focus to the active editor, which may be another page of the panel, and only then runs
 * the command.
 */

const FUNCTION_KEY = /^F\d+$/;

/**
 * Calls `used` before VS Code receives the key or button, for as long as the page exists: at the user's first action after the
 * page got the focus, and at every action that may start a command.
 */
export function followUse(page: Window, used: () => void): void {
  let isKnown = false;
  const report = () => {
    isKnown = true;
    used();
  };
  page.addEventListener("blur", () => {
    isKnown = false;
  });
  page.addEventListener("pointerdown", report, { capture: true });
  // Assistive technology presses and types without a pointer or keys.
  for (const name of ["click", "input"])
    page.addEventListener(name, () => isKnown || report(), { capture: true });
  page.addEventListener(
    "keydown",
    ({ key, ctrlKey, metaKey, altKey, repeat }) => {
      const mayStart = ctrlKey || metaKey || altKey || FUNCTION_KEY.test(key);
      if (!isKnown || (mayStart && !repeat)) report();
    },
    { capture: true },
  );
}
