/** What the panel loads before it is there, and what only when it is needed. */
import { basename } from "node:path";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { bundles } from "../../esbuild.mjs";

/** Bytes, minified. */
const eagerLimit = 510_000;

it("loads Markdown and the highlighter on demand, and little at once", async () => {
  const bundle = bundles({ minify: true }).find(({ name }) => name === "webview");
  if (!bundle) throw new Error("esbuild.mjs has no bundle named webview");
  const { metafile } = await build({
    ...bundle.options,
    entryPoints: [bundle.entry],
    write: false,
    metafile: true,
  });
  const { outputs } = metafile;
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
