/** Where a plugin may be from: what users enter, and what a marketplace says. */
import { expect, it } from "vitest";
import { pluginInMarketplace } from "../../../../src/core/plugins/marketplace.ts";
import { readAddress } from "../../../../src/core/plugins/plugin-address.ts";
import { PluginError } from "../../../../src/core/plugins/plugin-error.ts";
import { refusalOf } from "./support.ts";

const places = {
  resolve: (path: string) => (path.startsWith("/") ? path : `/here/${path}`),
  isFolder: async (path: string) => ["/here/a", "/plugins", "/here/owner/known"].includes(path),
};
const address = (text: string) =>
  readAddress(text, places).catch((error: unknown) => {
    if (error instanceof PluginError) return error.problem.code;
    throw error;
  });
const git = (url: string, ref?: string) => ({
  ...{ kind: "git", url, path: "", isLocal: url.startsWith("/") },
  ...(ref === undefined ? {} : { ref }),
});

it("tells folders, addresses of git and repositories of GitHub apart", async () => {
  const all: [string, unknown][] = [
    ["a", { kind: "folder", path: "/here/a" }],
    [" /plugins ", { kind: "folder", path: "/plugins" }],
    ["owner/known", { kind: "folder", path: "/here/owner/known" }],
    ["owner/repo", git("https://github.com/owner/repo.git")],
    ["owner/repo#v1.0", git("https://github.com/owner/repo.git", "v1.0")],
    ["https://example.com/x.git#main", git("https://example.com/x.git", "main")],
    ["git@example.com:me/x.git", git("git@example.com:me/x.git")],
    ["ssh://git@example.com:22/me/x", git("ssh://git@example.com:22/me/x")],
    ["/plugins#HEAD", git("/plugins", "HEAD")],
  ];
  for (const [text, meant] of all) expect(await address(text)).toEqual(meant);
});

it.each([
  ["", "address-unsupported"],
  ["nowhere", "no-such-source"],
  ["http://example.com/x.git", "address-unsupported"],
  ["git://example.com/x.git", "address-unsupported"],
  ["file:///plugins", "address-unsupported"],
  ["ext::sh -c touch% x", "address-unsupported"],
  ["https://user:secret@example.com/x.git", "address-unsupported"],
  ["https://example.com/x.git\n--upload-pack=x", "address-unsupported"],
  ["--upload-pack=touch x", "no-such-source"],
  ["git@-oProxyCommand=x:me/x", "no-such-source"],
  ["/plugins#--upload-pack=x", "ref-invalid"],
  ["/plugins#a..b", "ref-invalid"],
  ["/plugins#refs/heads/*:refs/heads/*", "ref-invalid"],
])("refuses %j", async (text, code) => {
  expect(await address(text)).toBe(code);
});

const market = (source: unknown, more: object = {}) =>
  new TextEncoder().encode(
    JSON.stringify({
      name: "m",
      plugins: [
        { name: "one", source },
        { name: "two", source: "./two" },
      ],
      ...more,
    }),
  );
const SHA = "a".repeat(40);

it.each([
  ["./plugins/one", {}, "plugins/one"],
  ["./", {}, ""],
  ["one", { metadata: { pluginRoot: "./plugins" } }, "plugins/one"],
  [{ source: "github", repo: "me/x", ref: "v1", sha: SHA }, {}, git("https://github.com/me/x.git", SHA)],
  [
    { source: "url", url: "https://example.com/x.git", ref: "v1" },
    {},
    git("https://example.com/x.git", "v1"),
  ],
  [
    { source: "git-subdir", url: "git@example.com:me/x.git", path: "./tools/x/" },
    {},
    { ...git("git@example.com:me/x.git"), path: "tools/x" },
  ],
])("a marketplace may name %j", (source, more, meant) => {
  expect(pluginInMarketplace(market(source, more), "one").source).toEqual(meant);
});

it.each([
  ["../x", "path-outside"],
  ["/etc", "path-outside"],
  ["./a/../../x", "path-outside"],
  [{ source: "git-subdir", url: "https://example.com/x.git", path: "../x" }, "path-outside"],
  [{ source: "npm", package: "x" }, "source-unsupported"],
  [{ source: "archive", url: "https://example.com/x.zip" }, "source-unsupported"],
  [{ source: "command", command: "curl x | sh" }, "source-unsupported"],
  [{ source: "url", url: "file:///etc" }, "address-unsupported"],
  [{ source: "url", url: "/home/me/secret" }, "address-unsupported"],
  [{ source: "url", url: "ext::sh -c x" }, "address-unsupported"],
  [{ source: "url", url: "https://example.com/x.git", ref: "--upload-pack=x" }, "ref-invalid"],
  [{ source: "github", repo: "../../x" }, "source-invalid"],
  [{ source: "github", repo: "me/x", sha: "abc" }, "source-invalid"],
  [7, "source-invalid"],
])("a marketplace may not name %j", (source, code) => {
  expect(refusalOf(() => pluginInMarketplace(market(source), "one"))[0]).toBe(code);
});

it("asks which plugin of a marketplace is meant", () => {
  expect(refusalOf(() => pluginInMarketplace(market("./one"), undefined))).toEqual([
    "choose-plugin",
    "one",
    "two",
  ]);
  expect(refusalOf(() => pluginInMarketplace(market("./one"), "three"))).toEqual([
    "not-in-marketplace",
    "three",
    "one, two",
  ]);
});
