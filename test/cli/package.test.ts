/** What is packed into the extension, from what is built. */
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { bundles } from "../../esbuild.mjs";
import { STAGE } from "../../scripts/lib/package.mjs";

const root = path.join(import.meta.dirname, "../..");
const SHIPPED = [
  /^package(\.nls(\.ja)?)?\.json$/,
  /^l10n\/bundle\.l10n\.ja\.json$/,
  /^(CHANGELOG\.md|LICENSE)$/,
  /^dist\/README\.md$/,
  /^media\/(icon\.png|nekode\.svg|tab-(dark|light)\.svg)$/,
  /^media\/mcp\.schema\.json$/,
  /^docs\/images\/(first-steps|diff|command)(\.ja)?\.webp$/,
  /^dist\/[\w-]+\.js$/,
  /^dist\/THIRD-PARTY-NOTICES\.txt$/,
  /^dist\/webview\/.+\.(js|css|woff2)$/,
  /^dist\/wasm\/[\w-]+\.wasm\.br$/,
  /^dist\/cmaps\/(maps\.br|LICENSE)$/,
];

const PAGE = "dist/README.md";
/** Bytes of the package. */
const LARGEST = 7_100_000;

/** The files of the package that `npm test` has packed, or, after a build alone, of one that vsce would pack. */
async function packed(): Promise<string[]> {
  if (process.env.NEKODE_VSIX !== undefined) return filesIn(STAGE);
  // It takes as long to load as all tests of this file together, and `npm test` does not need it.
  const { listFiles, PackageManager } = await import("@vscode/vsce");
  const files = await listFiles({ cwd: root, packageManager: PackageManager.None });
  // It always lists the repository's README, whose place the page takes.
  return files.filter((file) => file !== "README.md");
}

/** Paths relative to the folder, with slashes. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      path.relative(folder, path.join(parentPath, name)).replaceAll(path.sep, "/"),
    );
}

it("has the bundles that the extension loads, and no other", async () => {
  const files = await packed();
  const shipped = bundles({ minify: true }).filter((bundle) => bundle.shipped);
  expect(files.filter((file) => /^dist\/[^/]+\.js$/.test(file)).toSorted()).toEqual(
    shipped.flatMap(({ options: { outfile } }) => outfile ?? []).toSorted(),
  );
});

it("is what runs and what people read: no sources, tests or source maps, and nothing is missing", async () => {
  const files = await packed();
  expect(files.filter((file) => !SHIPPED.some((kind) => kind.test(file)))).toEqual([]);
  for (const kind of SHIPPED)
    expect(
      files.some((file) => kind.test(file)),
      String(kind),
    ).toBe(true);
});

it("has a page that shows pictures without reading them from anywhere, and leads nowhere that is not packed", async () => {
  const text = await readFile(path.join(root, PAGE), "utf8");
  const targets = [...text.matchAll(/\]\(([^)]*)\)/g)].map(([, target = ""]) => target);
  expect(targets.filter((target) => target.startsWith("data:image/webp;base64,UklGR"))).toHaveLength(4);
  expect(targets.filter((target) => !/^(data:image|#)/.test(target))).toEqual([]);
});

it("is small enough to install anywhere", async () => {
  const { name, version } = JSON.parse(await readFile(path.join(root, "package.json"), "utf8"));
  const file = process.env.NEKODE_VSIX ?? path.join(root, "dist", `${name}-${version}.vsix`);
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  // Only `npm test` and `npm run package` pack; a build alone does not.
  if (found) expect(found.size).toBeLessThan(LARGEST);
});
