// What a fresh clone lacks. Node's own modules only, here and in all that this file imports: it runs before `npm ci`.
export { ensureChromium } from "./chromium.mjs";
export { ensureCodeServer, NEWEST_VERSION, OLDEST_VERSION } from "./code-server-install.mjs";
export { ensureDependencies, ROOT } from "./dependencies.mjs";
export { ensureTestPrograms } from "./test-programs.mjs";
