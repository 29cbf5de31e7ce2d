// Installs what a fresh clone lacks. This file and everything that it imports use only Node's own modules, because it
// runs before `npm ci`.
export { ensureChromium, ensureTestBrowser } from "./chromium.mjs";
export { ensureCodeServer, NEWEST_VERSION, OLDEST_VERSION } from "./code-server-install.mjs";
export { ensureDependencies, ROOT } from "./dependencies.mjs";
export { ensureTestPrograms } from "./test-programs.mjs";
