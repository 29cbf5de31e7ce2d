/** pdf.js names these classes of a browser as it loads. They draw, and here nothing is drawn. */
class Undrawn {}

for (const name of ["DOMMatrix", "ImageData", "Path2D"]) {
  if (!(name in globalThis)) Object.defineProperty(globalThis, name, { value: Undrawn, writable: true });
}
