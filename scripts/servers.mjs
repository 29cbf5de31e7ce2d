// npm run test:servers: builds dist/, then runs it with MCP servers, a gateway and a model that others wrote, and prints what came of it.
import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { ensureForeignServers } from "./lib/foreign-servers.mjs";
import { ensureDependencies, ROOT } from "./lib/install.mjs";
import { runMain, say } from "./lib/log.mjs";

/** Milliseconds after which the tests count as hung. */
const LONGEST = 60 * 60_000;

/** Where tests leave their tables. */
const TABLES = path.join(ROOT, "test-results/servers");

await runMain(async () => {
  await ensureForeignServers();
  await ensureDependencies();
  const { buildAll } = await import("./lib/build.mjs");
  await buildAll();
  const { vitest } = await import("./lib/suites.mjs");
  await rm(TABLES, { recursive: true, force: true });
  const { failed } = await vitest("servers", ["servers"], { timeoutMs: LONGEST, files: ".long.test.ts" });
  const names = await readdir(TABLES).catch(() => []);
  for (const name of names.sort()) say(`\n${await readFile(path.join(TABLES, name), "utf8")}`);
  return failed > 0 ? 1 : 0;
});
