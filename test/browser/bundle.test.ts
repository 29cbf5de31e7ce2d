/** What the panel and the extension load before they are there, and what only when it is needed. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { bundles } from "../../esbuild.mjs";
import { defaultTools } from "../../src/core/tools/registry.ts";
import { eagerScripts } from "./support/script-bytes.ts";

/** Bytes, minified. */
const EAGER_LIMIT = 448_500;
/** Bytes, minified: each window reads and compiles them, whether the panel is ever opened or not. */
const START_LIMIT = 144_000;
/** Bytes, minified: what `nekode --version` reads. */
const LAUNCHER_LIMIT = 16_000;
/** Bytes, minified, in ASCII: what a task of the terminal host reads. */
const PROGRAM_LIMIT = 2_660_000;
/** Bytes, minified, in ASCII: what the panel's first opening in a window reads. */
const SERVICES_LIMIT = 2_395_000;
/** Bytes, minified: it starts with the first local server. */
const GUARD_LIMIT = 10_000;

it("the extension starts with little, and without what the panel's first opening loads", async () => {
  const { inputs, bytes } = await eagerScripts("extension", "extension.js");
  expect(inputs).toContain("src/vscode/extension.ts");
  for (const heavy of [
    "/zod/v4/locales/ja",
    "/iconv-lite/",
    "/openai/",
    "/sql.js/",
    "/@modelcontextprotocol/",
    "src/node/servers/",
    "src/core/loop/",
    "src/core/agent/",
    "src/vscode/services.ts",
  ]) {
    expect(inputs.filter((input) => input.includes(heavy))).toEqual([]);
  }
  console.log(`the extension starts with ${bytes} bytes of script`);
  expect(bytes).toBeLessThan(START_LIMIT);
});

it("the terminal host's launcher is small, and answers --version and --help without the program", async () => {
  const { inputs, bytes } = await eagerScripts("launcher", "cli.js");
  expect(inputs).toContain("src/cli/start/launcher.ts");
  expect(inputs.filter((input) => input.startsWith("node_modules/"))).toEqual([]);
  console.log(`nekode --version reads ${bytes} bytes of script in ${inputs.length} modules`);
  expect(bytes).toBeLessThan(LAUNCHER_LIMIT);
  const program = await eagerScripts("cli", "program.js");
  console.log(`a task reads ${program.bytes} bytes of script`);
  expect(program.bytes).toBeLessThan(PROGRAM_LIMIT);
});

it("the panel's first opening loads no table of encodings and no HTTP library, and is in ASCII", async () => {
  const { inputs, bytes } = await eagerScripts("services", "services.js");
  console.log(`the panel's first opening in a window reads ${bytes} bytes of script`);
  expect(bytes).toBeLessThan(SERVICES_LIMIT);
  expect(inputs.filter((input) => /^node_modules\/(?:iconv-lite|undici)\//.test(input))).toEqual([]);
  // Read as ASCII, another character would become two. Only a whole build leaves the file.
  const { NEKODE_PANEL: panel } = process.env;
  const file = panel === undefined ? Buffer.from("") : await readFile(path.join(panel, "../services.js"));
  expect(file.filter((byte) => byte > 0x7f)).toHaveLength(0);
});

it("the programs have the JSON schemas of the built-in tools, as they would be derived", async () => {
  const derived = Object.fromEntries(defaultTools.map(({ name, input }) => [name, input.schema]));
  for (const program of ["cli", "services"]) {
    const plugins = bundles().find(({ name }) => name === program)?.options.plugins ?? [];
    const { outputFiles } = await build({
      entryPoints: ["src/core/tools/set/built-schemas.ts"],
      ...{ plugins, bundle: true, write: false, format: "cjs" },
    });
    const module: { exports: Record<string, unknown> } = { exports: {} };
    new Function("module", outputFiles[0]?.text ?? "")(module);
    expect(module.exports.builtSchemas).toEqual(derived);
  }
  expect(Object.keys(derived).length).toBeGreaterThan(20);
});

it("loads the SDK of MCP servers with the first server, and the guard of their processes is small", async () => {
  for (const [name, entry] of [
    ["services", "services.js"],
    ["cli", "program.js"],
  ] as const) {
    const { inputs } = await eagerScripts(name, entry);
    expect(inputs.filter((input) => input.includes("/@modelcontextprotocol/"))).toEqual([]);
  }
  const { inputs } = await eagerScripts("mcp", "mcp.js");
  expect(inputs.filter((input) => input.includes("/@modelcontextprotocol/client/"))).not.toEqual([]);
  // A second copy of an error's class would not be recognized.
  expect(inputs.filter((input) => input.startsWith("src/"))).toEqual(["src/node/servers/mcp-sdk.ts"]);
  expect((await eagerScripts("guard", "guard.js")).bytes).toBeLessThan(GUARD_LIMIT);
});

it("loads Markdown, the highlighter, formulas and diagrams on demand, and little at once", async () => {
  const { inputs, bytes, files } = await eagerScripts("webview", "index.js");
  // Each file passes the editor before it arrives.
  expect(files).toBe(1);
  for (const heavy of [
    "/markdown-it/",
    "/highlight.js/",
    "/lowlight/",
    "/zod/v4/locales/ja",
    "/mermaid/",
    "/temml/",
    "/d3",
  ]) {
    expect(inputs.filter((input) => input.includes(heavy))).toEqual([]);
  }
  // Elements of the toolkit that only some screens show.
  const elements = inputs.filter((input) =>
    /fast-foundation.*\/(checkbox|text-field|text-area)\//.test(input),
  );
  expect(elements).toEqual([]);
  expect(inputs.some((input) => input.includes("/react-dom/"))).toBe(true);
  console.log(`the panel loads ${bytes} bytes of script before it is there`);
  expect(bytes).toBeLessThan(EAGER_LIMIT);
});
