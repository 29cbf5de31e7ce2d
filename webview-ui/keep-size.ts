/**
 * VS Code gives the frame of a hidden panel no size. Laid out so, every row would take another height, and the reading position would
 * be lost. So the page keeps the size that it had until it is shown again.
 */

/** Pixels. A smaller frame shows nothing. */
const LEAST = 20;

export function keepSize(root: HTMLElement): void {
  let size = { width: window.innerWidth, height: window.innerHeight };
  // Before the layout that follows.
  window.addEventListener("resize", () => {
    const { innerWidth: width, innerHeight: height } = window;
    const isHidden = width < LEAST || height < LEAST;
    root.style.width = isHidden ? `${size.width}px` : "";
    root.style.height = isHidden ? `${size.height}px` : "";
    if (!isHidden) size = { width, height };
  });
}
