// Loaded before the gateway. Its HTTP library replaces Node's `Response` by one that passes on the headers of another response as they are, to
// which the gateway then adds its own: each stream ends with "immutable". With Node's own `Response` it works as its makers mean it to.
const define = Object.defineProperty;
Object.defineProperty = (target, name, descriptor) =>
  target === globalThis && name === "Response" ? target : define(target, name, descriptor);
