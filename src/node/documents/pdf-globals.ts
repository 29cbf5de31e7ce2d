/** Stubs for browser classes that pdf.js references when it loads. They are for drawing, which is not used here. */
class Stub {}

for (const name of ["DOMMatrix", "ImageData", "Path2D"]) {
  if (!(name in globalThis)) Object.defineProperty(globalThis, name, { value: Stub, writable: true });
}
