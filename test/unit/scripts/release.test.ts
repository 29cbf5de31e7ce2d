/** What a release has besides its packages: notes, the bill of materials, checksums. */
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { releaseFiles, writeChecksums } from "../../../scripts/lib/checksums.mjs";
import { notesOf } from "../../../scripts/lib/release.mjs";
import { packagesIn, shippedOf } from "../../../scripts/lib/sbom.mjs";

const repository = path.join(import.meta.dirname, "../../..");

it("the notes are the section of the version, and there must be one", () => {
  const changelog =
    "# Changelog\n\n## Unreleased\n\n## 1.2.0\n\n### Fixed\n\n- A\n\n## 1.2.0-beta\n\n- B\n\n## 1.1.0\n";
  expect(notesOf(changelog, "1.2.0")).toBe("### Fixed\n\n- A\n");
  for (const version of ["1.2", "1.1.0", "1x2.0"])
    expect(() => notesOf(changelog, version)).toThrow(/no section/);
});

const component = (name: string, version: string) => ({
  ...{ "bom-ref": `${name}@${version}`, type: "library", name, version, purl: `pkg:npm/${name}@${version}` },
  properties: [{ name: "cdx:npm:package:path", value: `node_modules/${name}` }],
});

it("the bill has each package that is shipped once, with what it needs of them, and no other", () => {
  const all = {
    specVersion: "1.5",
    metadata: { component: component("nekode", "1.0.0") },
    components: [
      ...[component("a", "1.0.0"), component("a", "1.0.0"), component("a", "2.0.0")],
      ...[component("b", "1.0.0"), component("rg-linux", "3.0.0"), component("vitest", "4.0.0")],
    ],
    dependencies: [
      { ref: "nekode@1.0.0", dependsOn: ["vitest@4.0.0"] },
      { ref: "a@1.0.0", dependsOn: ["b@1.0.0", "vitest@4.0.0"] },
      { ref: "vitest@4.0.0", dependsOn: ["a@2.0.0"] },
    ],
  };
  const bar = "-".repeat(78);
  const notices = `Title\n\n${bar}\n\na 1.0.0 (MIT) https://a.example\n\nText\n\n${bar}\n\nb 1.0.0 (ISC)\n`;
  const shipped = { bundled: packagesIn(notices), optional: ["rg-linux@3.0.0"] };
  const bom = shippedOf(all, shipped);
  expect(bom.components.map(({ name, version, scope }) => [name, version, scope])).toEqual([
    ["a", "1.0.0", "required"],
    ["b", "1.0.0", "required"],
    ["rg-linux", "3.0.0", "optional"],
  ]);
  expect(bom.dependencies).toEqual([
    { ref: "nekode@1.0.0", dependsOn: ["a@1.0.0", "b@1.0.0", "rg-linux@3.0.0"] },
    { ref: "a@1.0.0", dependsOn: ["b@1.0.0"] },
  ]);
  expect([bom.specVersion, JSON.stringify(bom).includes("node_modules")]).toEqual(["1.6", false]);
  expect(() => shippedOf(all, { bundled: ["c@1.0.0"], optional: [] })).toThrow(
    "does not have what is shipped: c@1.0.0",
  );
});

it("the checksums are those of all files of a release, which must be there", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "nekode-release-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { version } = JSON.parse(await readFile(path.join(repository, "package.json"), "utf8"));
  const files = releaseFiles(version);
  for (const name of files.slice(1)) await writeFile(path.join(folder, name), name);
  await expect(writeChecksums(folder)).rejects.toThrow(`Missing: ${files[0]}`);
  await writeFile(path.join(folder, files[0] ?? ""), "bill");
  await writeChecksums(folder);
  if (process.platform === "linux")
    expect(execFileSync("sha256sum", ["--check", "SHA256SUMS"], { cwd: folder, encoding: "utf8" })).toBe(
      files.map((name) => `${name}: OK\n`).join(""),
    );
});
