/** What the panel and the extension load before they are there, and what only when it is needed. */
import { basename } from "node:path";
import { build, type Metafile } from "esbuild";
import { expect, it } from "vitest";
import { bundles } from "../../esbuild.mjs";

/** Bytes, minified. */
const eagerLimit = 510_000;
/** Bytes, minified: each window reads and compiles them, whether the panel is ever opened or not. */
const startLimit = 200_000;

async function outputsOf(name: string): Promise<Metafile["outputs"]> {
  const bundle = bundles({ minify: true }).find((each) => each.name === name);
  if (!bundle) throw new Error(`esbuild.mjs has no bundle named ${name}`);
  const { metafile } = await build({
    ...bundle.options,
    entryPoints: [bundle.entry],
    write: false,
    metafile: true,
  });
  return metafile.outputs;
}

it("the extension starts with little, and without what the panel's first opening loads", async () => {
  const outputs = Object.values(await outputsOf("extension"));
  const inputs = outputs.flatMap((output) => Object.keys(output.inputs));
  expect(inputs).toContain("src/vscode/extension.ts");
  for (const heavy of [
    "/zod/v4/locales/ja",
    "/iconv-lite/",
    "/openai/",
    "/sql.js/",
    "src/core/task/",
    "src/vscode/services.ts",
  ]) {
    expect(inputs.filter((input) => input.includes(heavy))).toEqual([]);
  }
  const bytes = outputs.reduce((sum, output) => sum + output.bytes, 0);
  console.log(`the extension starts with ${bytes} bytes of script`);
  expect(bytes).toBeLessThan(startLimit);
});

it("loads Markdown and the highlighter on demand, and little at once", async () => {
  const outputs = await outputsOf("webview");
  const eager = new Set<string>();
  const add = (file: string) => {
    if (eager.has(file)) return;
    eager.add(file);
    for (const { kind, path } of outputs[file]?.imports ?? []) if (kind === "import-statement") add(path);
  };
  add(Object.keys(outputs).find((file) => basename(file) === "index.js") ?? "");
  const inputs = [...eager].flatMap((file) => Object.keys(outputs[file]?.inputs ?? {}));
  for (const heavy of ["/markdown-it/", "/highlight.js/", "/lowlight/", "/zod/v4/locales/ja"]) {
    expect(inputs.filter((input) => input.includes(heavy))).toEqual([]);
  }
  expect(inputs.some((input) => input.includes("/react-dom/"))).toBe(true);
  const bytes = [...eager].reduce((sum, file) => sum + (outputs[file]?.bytes ?? 0), 0);
  console.log(`the panel loads ${bytes} bytes of script before it is there`);
  expect(bytes).toBeLessThan(eagerLimit);
});
