/** Adds the styles of a chunk to the page, after the page's own. The content policy allows sheets that a script constructs. */
export function adoptStyles(css: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
}
