let installed: Promise<void> | undefined;

/**
 * Makes `fetch`, `Headers` and the other classes of the web those of the HTTP library, which requests to models load anyway. The
 * runtime has another copy of the same library, and loads it when one of them is used first. Only for a process of our own.
 */
export function installLibraryClasses(): Promise<void> {
  installed ??= install();
  return installed;
}

async function install(): Promise<void> {
  // The library looks for the runtime's class as it loads, which would load the runtime's copy.
  Object.defineProperty(globalThis, "Headers", { configurable: true, writable: true, value: undefined });
  const library = await import("undici");
  library.install();
}
