// Servers that others wrote, for `npm run test:servers`: packages of npm in the cache folder, none of which the project depends on.
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { cacheDir, installOnce } from "./cache.mjs";
import { npmEnvironment } from "./dependencies.mjs";
import { step, Trouble } from "./log.mjs";
import { run } from "./processes.mjs";

/** Increment when the packages change, so that caches are rebuilt. */
const RECIPE = 1;

/** The versions that the tests were written with. */
const PACKAGES = {
  // MCP servers.
  "@antv/mcp-server-chart": "0.9.10",
  "@brave/brave-search-mcp-server": "2.1.4",
  "@cyanheads/git-mcp-server": "2.15.3",
  "@drawio/mcp": "1.6.1",
  "@eslint/mcp": "0.3.13",
  "@modelcontextprotocol/server-sequential-thinking": "2026.8.31",
  "@notionhq/notion-mcp-server": "2.5.2",
  "@upstash/context7-mcp": "4.1.1",
  "figma-developer-mcp": "0.13.2",
  "mongodb-mcp-server": "3.0.4",
  // A gateway in front of models.
  "@portkey-ai/gateway": "1.15.2",
  // llama.cpp, and its binary for this system.
  "node-llama-cpp": "3.21.1",
  [`@node-llama-cpp/linux-${process.arch}`]: "3.21.1",
};

/**
 * Finds or installs all of them. No package may run a script of its own while it is installed.
 * @returns {Promise<string>} their folder `node_modules`
 */
export async function ensureForeignServers() {
  if (process.platform !== "linux") throw new Trouble("The servers of others are tried on Linux.");
  await mkdir(cacheDir(), { recursive: true });
  const folder = await installOnce(`servers-${RECIPE}`, (temporary) =>
    step("Installing servers that others wrote into the cache (once)", async () => {
      const manifest = { name: "servers", private: true, dependencies: PACKAGES };
      await writeFile(path.join(temporary, "package.json"), JSON.stringify(manifest));
      const args = "install --ignore-scripts --omit=optional --no-audit --no-fund --loglevel=error".split(
        " ",
      );
      await run("npm", args, { cwd: temporary, env: npmEnvironment() });
    }),
  );
  return path.join(folder, "node_modules");
}
