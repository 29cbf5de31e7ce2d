// The documentation site: the pages of docs/, as they are on GitHub. `npm run docs` builds it.
import { cp, mkdir, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { defineConfig } from "vitepress";
import { headingAnchor } from "../../../scripts/lib/markdown-page.mjs";
import { sidebarOf, siteLink } from "../../../scripts/lib/site-links.mjs";
import { ENGLISH_TEXTS, JAPANESE_TEXTS, SEARCH_TEXTS } from "./texts.mjs";

const DOCS = path.join(import.meta.dirname, "../..");
const ROOT = path.join(DOCS, "..");

/** Where files that are not pages of the site are shown, such as CONTRIBUTING.md; without it, their names are not links. */
const { repository } = JSON.parse(await readFile(path.join(ROOT, "package.json"), "utf8"));
const files =
  repository === undefined ? undefined : `${repository.url.replace(/^git\+|\.git$/g, "")}/blob/main`;

const sidebar = async (index) => sidebarOf(index, await readFile(path.join(DOCS, index), "utf8"));

/** The path under which the site is served, such as "/nekode/". */
const base = process.env.NEKODE_DOCS_BASE ?? "/";

/** Pages import Vue, which is in no folder above them: it is found from here. Pages that are rendered ahead load it when they run. */
const vueOfBuilder = {
  name: "vue-of-the-builder",
  enforce: "pre",
  resolveId(id, _importer, { ssr }) {
    if (id !== "vue" && id !== "vue/server-renderer") return undefined;
    return ssr ? { id, external: true } : this.resolve(id, import.meta.filename, { skipSelf: true });
  },
};

export default defineConfig({
  title: "Nekode",
  srcDir: DOCS,
  srcExclude: ["site/**"],
  outDir: path.join(ROOT, "dist/docs"),
  cacheDir: path.join(ROOT, ".cache/vitepress"),
  vite: { plugins: [vueOfBuilder] },
  base,
  head: [["link", { rel: "icon", type: "image/png", href: `${base}icon.png` }]],
  rewrites: { "README.md": "index.md", "ja/README.md": "ja/index.md" },
  markdown: {
    anchor: { slugify: headingAnchor },
    config: (markdown) => markdown.core.ruler.push("site-links", (state) => linkWithin(state, files)),
  },
  locales: {
    root: {
      label: "English",
      lang: "en-US",
      description: "A coding agent for VS Code and the terminal that works with your own model.",
      themeConfig: { ...ENGLISH_TEXTS, sidebar: await sidebar("README.md") },
    },
    ja: {
      label: "日本語",
      lang: "ja",
      description: "お手持ちのモデルで動く、VS Code とターミナルのコーディング エージェント。",
      themeConfig: { ...JAPANESE_TEXTS, sidebar: await sidebar("ja/README.md") },
    },
  },
  themeConfig: {
    // Not every page has a translation, so the menu of languages leads to the first page.
    i18nRouting: false,
    externalLinkIcon: true,
    search: {
      provider: "local",
      options: {
        locales: { ja: { translations: SEARCH_TEXTS } },
        miniSearch: { options: { tokenize: wordsOf, processTerm: (term) => term.toLowerCase() } },
      },
    },
  },
  async buildEnd({ outDir }) {
    await copyOthers(outDir);
    await cp(path.join(ROOT, "media/icon.png"), path.join(outDir, "icon.png"));
  },
});

/** The words of a text, also of Japanese, which writes them without spaces. The browser gets this function as source text. */
function wordsOf(text) {
  const segments = new Intl.Segmenter("ja", { granularity: "word" }).segment(text);
  return [...segments].flatMap(({ segment }) => segment.split(/[^\p{L}\p{M}\p{N}]+/u)).filter(Boolean);
}

/** Makes the links of a page lead to the pages of the site. */
function linkWithin(state, files) {
  for (const { children } of state.tokens) {
    for (const [index, token] of (children ?? []).entries()) {
      // Otherwise the site would evaluate {{ … }}, which code of workflows has.
      if (token.type === "code_inline") token.attrSet("v-pre", "");
      if (token.type !== "link_open") continue;
      const link = siteLink(state.env.relativePath, token.attrGet("href"), files);
      if (link !== undefined) token.attrSet("href", link);
      else {
        const end = children.findIndex((each, at) => at > index && each.type === "link_close");
        for (const each of [token, children[end]])
          Object.assign(each, { type: "text", tag: "", content: "" });
      }
    }
  }
}

/** Schemas and examples that pages link to. */
async function copyOthers(outDir) {
  for (const entry of await readdir(DOCS, { recursive: true, withFileTypes: true })) {
    const file = path.relative(DOCS, path.join(entry.parentPath, entry.name));
    if (!/^(?!site\b).*\.(json|ya?ml)$/.test(file)) continue;
    await mkdir(path.dirname(path.join(outDir, file)), { recursive: true });
    await cp(path.join(DOCS, file), path.join(outDir, file));
  }
}
