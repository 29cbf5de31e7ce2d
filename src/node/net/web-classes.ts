/**
 * Makes `fetch`, `Headers` and the other classes of the web those of the HTTP library, which requests to models load anyway. The
 * runtime has another copy of the same library, and loads it when one of them is used first. Only for a process of our own.
 */
export async function installLibraryClasses(): Promise<void> {
  // The library looks for the runtime's class as it loads, which would load the runtime's copy.
  Object.defineProperty(globalThis, "Headers", { configurable: true, writable: true, value: undefined });
  const { install } = await import("undici");
  install();
}
