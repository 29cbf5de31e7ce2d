// Runs a developer tool from test/NAME/main.ts.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { ROOT } from "./dependencies.mjs";

/**
 * Bundles the tool and runs it with this terminal's input and output.
 * @param {string} name
 * @param {string[]} args
 * @returns {Promise<number>} its exit code
 */
export async function runTool(name, args) {
  const { buildTool } = await import("./build.mjs");
  const file = await buildTool(name);
  const child = spawn(process.execPath, ["--expose-gc", file, ...args], { cwd: ROOT, stdio: "inherit" });
  const [code] = await once(child, "exit");
  return code ?? 1;
}
