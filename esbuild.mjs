// Defines every bundle in dist/. scripts/build.mjs runs it.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { directImports } from "./scripts/lib/direct-imports.mjs";
import { usedWords } from "./scripts/lib/used-words.mjs";

const ROOT = fileURLToPath(new URL("./", import.meta.url));

const MANIFEST = path.join(ROOT, "package.json");
/** @type {{ version: string }} When this file is itself part of a bundle, there is no manifest beside it. */
const { version: VERSION } = existsSync(MANIFEST)
  ? JSON.parse(readFileSync(MANIFEST, "utf8"))
  : { version: "" };

/** The tree-sitter grammars that ship: shells for command safety, the rest for definitions. */
const GRAMMARS = [
  ...["bash", "powershell"],
  ...[
    "c-sharp",
    "cpp",
    "css",
    "go",
    "java",
    "javascript",
    "php",
    "python",
    "ruby",
    "rust",
    "tsx",
    "typescript",
  ],
];

/** Files copied as they are, or compressed if `to` ends in `.br`: [from, to], relative to the repository's folder. */
export const COPIES = [
  // Of the maps that scripts/lib/cmaps.mjs packs beside it.
  ["node_modules/pdfjs-dist/cmaps/LICENSE", "dist/cmaps/LICENSE"],
  ["node_modules/sql.js/dist/sql-wasm.wasm", "dist/wasm/sql-wasm.wasm.br"],
  ...["tree-sitter", ...GRAMMARS.map((name) => `tree-sitter-${name}`)].map((name) => [
    `node_modules/@vscode/tree-sitter-wasm/wasm/${name}.wasm`,
    `dist/wasm/${name}.wasm.br`,
  ]),
];

// Both kinds of bundle can contain libraries of either module system.
const COMMON_JS = {
  format: /** @type {const} */ ("cjs"),
  define: {
    "import.meta.url": "importMetaUrl",
    // Libraries read it to distinguish a browser from Node; a newer VS Code reports each such access as an error.
    navigator: "undefined",
  },
  banner: { js: 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;' },
};
/** Parts that load on demand stay bundles of their own. */
const WITH_LAZY_PARTS = {
  plugins: [
    separate("./mcp-sdk.ts", "./mcp.js"),
    separate("./page-driver.ts", "./browser.js"),
    separate("./detector.ts", "./detector.js"),
    separate("iconv-lite", "./iconv-lite.js"),
    separate("./review/reviews.ts", "./reviews.js"),
    separate("../prompts/slash-prompts.ts", "./slash-prompts.js"),
    separate("./late-parts.ts", "./late-parts.js"),
    separate("../late-parts.ts", "./late-parts.js"),
    separate("../core/tools/late-parts.ts", "./late-parts.js"),
    separate("../language-servers/configured-servers.ts", "./language-servers.js"),
    separate("./policy-parts.ts", "./policy-parts.js"),
    separate("./telemetry/export-telemetry.ts", "./telemetry.js"),
    separate("../../node/policy/policy-parts.ts", "./policy-parts.js"),
  ],
};
/** Of a program that starts with code that V8 compiled earlier, and has lazy parts. */
const COMPILED_EARLIER = {
  // V8 gets the text of the file as it is: to put it into a function when it is loaded would copy it.
  banner: { js: `(function (exports, require, module, __filename, __dirname) { ${COMMON_JS.banner.js}` },
  footer: { js: "})" },
  // V8 keeps such a text in half the memory, and reads it without decoding it.
  charset: /** @type {const} */ ("ascii"),
  // Compiled code cannot load modules with `import()`.
  supported: { "dynamic-import": false },
  plugins: [
    ...WITH_LAZY_PARTS.plugins,
    withPlainRequire(),
    asciiPatterns(),
    withToolSchemas(),
    withOnePath(),
    withoutFormatter(),
  ],
};
const ES_MODULE = {
  format: /** @type {const} */ ("esm"),
  banner: {
    js: [
      'import { createRequire as nodeCreateRequire } from "node:module";',
      'import { fileURLToPath as nodeFileURLToPath } from "node:url";',
      "const require = nodeCreateRequire(import.meta.url);",
      "const __filename = nodeFileURLToPath(import.meta.url);",
      'const __dirname = nodeFileURLToPath(new URL(".", import.meta.url));',
    ].join("\n"),
  },
};

/**
 * @typedef {{ name: string, entry: string, shipped: boolean, options: import("esbuild").BuildOptions, joined?: Group[] }} Bundle
 * `joined`: see scripts/lib/joined-chunks.mjs.
 * @typedef {import("./scripts/lib/joined-chunks.mjs").Group} Group
 */

/** The panel's files that load at its start, and those that the first screen and a conversation need. @type {Group[]} */
const PANEL_FILES = [
  { file: "index.js", own: "webview-ui/index.tsx", entries: ["webview-ui/index.tsx"] },
  {
    file: "conversation.js",
    own: "webview-ui/transcript/transcript.tsx",
    entries: [
      "webview-ui/transcript/transcript.tsx",
      "webview-ui/drafts/sending-list.tsx",
      "webview-ui/foot/foot-choices.tsx",
    ],
  },
  {
    file: "screens.js",
    entries: [
      "webview-ui/screens/history.tsx",
      "webview-ui/screens/rules.tsx",
      "webview-ui/screens/servers.tsx",
      "webview-ui/screens/hooks.tsx",
      "webview-ui/screens/plugins.tsx",
      "webview-ui/screens/connections.tsx",
      "webview-ui/models/model-picker.tsx",
    ],
  },
];

/**
 * The bundles; `shipped` ones are part of the extension's package.
 * @param {{ minify?: boolean }} [options]
 * @returns {Bundle[]}
 */
export function bundles({ minify = false } = {}) {
  /** @type {import("esbuild").BuildOptions} */
  const common = {
    absWorkingDir: ROOT,
    bundle: true,
    metafile: true,
    logLevel: "warning",
    legalComments: "none",
    // Half the size of escapes: tables of encodings, and Japanese words.
    charset: "utf8",
    minify,
    // Error messages contain names of classes and functions.
    keepNames: minify,
    sourcemap: minify ? false : "linked",
  };
  /** @type {import("esbuild").BuildOptions} */
  const node = { ...common, platform: "node", target: "node20", mainFields: ["module", "main"] };
  return [
    {
      name: "extension",
      entry: "src/vscode/extension.ts",
      shipped: true,
      options: {
        ...node,
        ...COMMON_JS,
        outfile: "dist/extension.js",
        external: ["vscode"],
        plugins: [separate("./load-services.ts", "./load-services.js")],
        // Becomes a plain require, which the editor intercepts for its `vscode` module.
        supported: { "dynamic-import": false },
      },
    },
    {
      // Loads the next one with the compiled code of earlier windows.
      name: "load-services",
      entry: "src/vscode/load-services.ts",
      shipped: true,
      options: {
        ...node,
        ...COMMON_JS,
        outfile: "dist/load-services.js",
        define: { ...COMMON_JS.define, NEKODE_VERSION: JSON.stringify(VERSION) },
      },
    },
    {
      // Loaded by the extension when the panel first opens.
      name: "services",
      entry: "src/vscode/services.ts",
      shipped: true,
      options: {
        ...node,
        ...COMMON_JS,
        outfile: "dist/services.js",
        define: { ...COMMON_JS.define, NEKODE_VERSION: JSON.stringify(VERSION) },
        external: ["vscode"],
        ...COMPILED_EARLIER,
        // The terminal host asks its model at once, and contains it.
        plugins: [...COMPILED_EARLIER.plugins, separate("undici", "./undici.js")],
      },
    },
    {
      // Loaded by the extension and the terminal host when the first MCP server connects.
      name: "mcp",
      entry: "src/node/servers/mcp-sdk.ts",
      shipped: true,
      options: { ...node, ...COMMON_JS, outfile: "dist/mcp.js" },
    },
    {
      // Loaded by the extension and the terminal host with the first review.
      name: "reviews",
      entry: "src/core/agent/review/reviews.ts",
      shipped: true,
      options: { ...node, ...COMMON_JS, outfile: "dist/reviews.js" },
    },
    {
      // Loaded by the terminal host where the user configured a language server.
      name: "language-servers",
      entry: "src/node/language-servers/configured-servers.ts",
      shipped: false,
      options: { ...node, ...COMMON_JS, outfile: "dist/language-servers.js" },
    },
    {
      // Loaded by the extension and the terminal host where the computer is managed.
      name: "policy-parts",
      entry: "src/node/policy/policy-parts.ts",
      shipped: true,
      options: { ...node, ...COMMON_JS, outfile: "dist/policy-parts.js" },
    },
    {
      // Loaded by the extension and the terminal host where telemetry is exported.
      name: "telemetry",
      entry: "src/node/telemetry/export-telemetry.ts",
      shipped: true,
      options: { ...node, ...COMMON_JS, outfile: "dist/telemetry.js" },
    },
    {
      // Loaded by the terminal host for `nekode lsp`.
      name: "lsp-command",
      entry: "src/cli/language-servers/lsp-command.ts",
      shipped: false,
      options: { ...node, ...COMMON_JS, outfile: "dist/lsp-command.js" },
    },
    {
      // Loaded by the extension and the terminal host when the agent first launches a browser.
      name: "browser",
      entry: "src/node/browser/page-driver.ts",
      shipped: true,
      options: { ...node, ...COMMON_JS, outfile: "dist/browser.js" },
    },
    {
      // Loaded by the extension and the terminal host with the first slash command.
      name: "slash-prompts",
      entry: "src/core/prompts/slash-prompts.ts",
      shipped: true,
      options: { ...node, ...COMMON_JS, outfile: "dist/slash-prompts.js" },
    },
    {
      // Loaded by the extension and the terminal host with the first run of tests, the first notebook and the first report.
      name: "late-parts",
      entry: "src/core/tools/late-parts.ts",
      shipped: true,
      options: { ...node, ...COMMON_JS, outfile: "dist/late-parts.js" },
    },
    {
      // Loaded by the extension and the terminal host when a file is in an encoding that nothing names.
      name: "detector",
      entry: "src/node/files/encoding/detector.ts",
      shipped: true,
      options: { ...node, ...COMMON_JS, outfile: "dist/detector.js" },
    },
    {
      // Loaded by the extension and the terminal host with the first file or output that is not in UTF-8.
      name: "iconv-lite",
      entry: "iconv-lite",
      shipped: true,
      options: { ...node, ...COMMON_JS, outfile: "dist/iconv-lite.js" },
    },
    {
      // Loaded by the extension with the first request to a model.
      name: "undici",
      entry: "undici",
      shipped: true,
      options: { ...node, ...COMMON_JS, outfile: "dist/undici.js", plugins: [requestsOfUndici()] },
    },
    {
      // A program that ends local servers and browsers if the host is killed.
      name: "guard",
      entry: "src/node/servers/guard-main.ts",
      shipped: true,
      options: { ...node, ...COMMON_JS, outfile: "dist/guard.js" },
    },
    {
      // Runs in the thread that reads PDF, Word and Excel files.
      name: "documents",
      entry: "src/node/documents/worker.ts",
      shipped: true,
      options: {
        ...node,
        ...COMMON_JS,
        outfile: "dist/documents.js",
        // Needed only for drawing, which is not used.
        external: ["@napi-rs/canvas"],
      },
    },
    {
      name: "webview",
      entry: "webview-ui/index.tsx",
      shipped: true,
      ...(minify ? { joined: PANEL_FILES } : {}),
      options: {
        ...common,
        platform: "browser",
        format: "esm",
        target: "chrome128",
        splitting: true,
        outdir: "dist/webview",
        chunkNames: "chunks/[name]-[hash]",
        assetNames: "assets/[name]-[hash]",
        loader: { ".svg": "dataurl", ".woff": "empty", ".woff2": "file", ".ttf": "file" },
        define: { "process.env.NODE_ENV": minify ? '"production"' : '"development"' },
        // Of Mermaid: the panel has one typesetter, and a stricter sanitizer.
        alias: { katex: "./webview-ui/math/katex.ts", dompurify: "./webview-ui/diagrams/purify.ts" },
        // Half of the bytes that it adds are Mermaid's, whose errors are told by their messages.
        keepNames: false,
        plugins: [withoutKeyCodes(), earlyReact(), toolkitElements(), styleTexts()],
      },
    },
    {
      // What users start: it runs the program with the compiled code of earlier runs.
      name: "launcher",
      entry: "src/cli/start/launcher.ts",
      shipped: false,
      options: {
        ...node,
        ...COMMON_JS,
        define: { ...COMMON_JS.define, NEKODE_VERSION: JSON.stringify(VERSION) },
        outfile: "dist/cli.js",
        banner: { js: `#!/usr/bin/env node\n${COMMON_JS.banner.js}` },
      },
    },
    {
      name: "cli",
      entry: "src/cli/main.ts",
      shipped: false,
      options: {
        ...node,
        ...COMMON_JS,
        ...COMPILED_EARLIER,
        define: { ...COMMON_JS.define, NEKODE_VERSION: JSON.stringify(VERSION) },
        plugins: [
          ...COMPILED_EARLIER.plugins,
          requestsOfUndici(),
          separate("./japanese.ts", "./japanese.js"),
          separate("./acp-sdk.ts", "./acp-sdk.js"),
          separate("./schema-validator.ts", "./schema-validator.js"),
          separate("./queue/queue-sdk.ts", "./queue.js"),
          separate("./language-servers/lsp-command.ts", "./lsp-command.js"),
          separate("./completion/completions.ts", "./completions.js"),
          separate("../../node/import/setting-imports.ts", "./setting-imports.js"),
        ],
        outfile: "dist/program.js",
        // V8 also keeps the whole text, for functions that it has not compiled yet. The source map has the names.
        minify: true,
        keepNames: false,
      },
    },
    {
      // Loaded by the terminal host where the user's language is Japanese. A third of the sentences are the panel's.
      name: "japanese",
      entry: "src/cli/japanese.ts",
      shipped: false,
      options: {
        ...node,
        ...COMMON_JS,
        plugins: [
          usedWords({ own: ["src"], others: ["webview-ui", "src/vscode"] }, /[/\\]bundle\.l10n\.ja\.json$/),
        ],
        outfile: "dist/japanese.js",
      },
    },
    {
      // Loaded by the terminal host for `nekode acp`.
      name: "acp-sdk",
      entry: "src/acp/acp-sdk.ts",
      shipped: false,
      options: { ...node, ...COMMON_JS, outfile: "dist/acp-sdk.js" },
    },
    {
      // Loaded by the terminal host for --output-schema.
      name: "schema-validator",
      entry: "src/cli/output/schema-validator.ts",
      shipped: false,
      options: { ...node, ...COMMON_JS, outfile: "dist/schema-validator.js" },
    },
    {
      // Loaded by the terminal host for `nekode completion`.
      name: "completions",
      entry: "src/cli/completion/completions.ts",
      shipped: false,
      options: { ...node, ...COMMON_JS, outfile: "dist/completions.js" },
    },
    {
      // Loaded by the terminal host for batches that ride a queue.
      name: "queue",
      entry: "src/batch/queue/queue-sdk.ts",
      shipped: false,
      options: { ...node, ...COMMON_JS, outfile: "dist/queue.js" },
    },
    {
      // Loaded by the terminal host for `nekode import settings`.
      name: "setting-imports",
      entry: "src/node/import/setting-imports.ts",
      shipped: false,
      options: { ...node, ...COMMON_JS, ...WITH_LAZY_PARTS, outfile: "dist/setting-imports.js" },
    },
    {
      name: "core",
      entry: "src/node/library.ts",
      shipped: false,
      options: { ...node, ...ES_MODULE, outfile: "dist/core.mjs" },
    },
    {
      name: "model-server",
      entry: "test/model-server/main.ts",
      shipped: false,
      options: { ...node, ...ES_MODULE, outfile: "dist/test/model-server.mjs" },
    },
    {
      // What `npm start` asks for real models on this machine.
      name: "local-servers",
      entry: "test/model-server/local-servers.ts",
      shipped: false,
      options: { ...node, ...ES_MODULE, outfile: "dist/test/local-servers.mjs" },
    },
    {
      name: "vscode-tests",
      entry: "test/vscode/index.ts",
      shipped: false,
      options: {
        ...node,
        ...COMMON_JS,
        outfile: "dist/test/vscode/index.js",
        external: ["vscode", "mocha"],
        plugins: [suites()],
      },
    },
  ];
}

/** A bundle of a program that only developers run (benchmarks, fuzzing). @param {string} name @returns {Bundle} */
export function toolBundle(name) {
  const model = bundles().find((bundle) => bundle.name === "model-server");
  return {
    name,
    entry: `test/${name}/main.ts`,
    shipped: false,
    // A browser and a bundler that a tool runs find their own files relative to themselves.
    options: {
      ...model?.options,
      outfile: `dist/test/${name}.mjs`,
      external: ["playwright-core", "esbuild"],
    },
  };
}

/** Keeps an import external, and points it to the bundle of another entry. @param {string} from @param {string} to */
function separate(from, to) {
  return {
    name: "separate",
    /** @param {import("esbuild").PluginBuild} build */
    setup(build) {
      const filter = new RegExp(`^${from.replaceAll(".", "\\.")}$`);
      build.onResolve({ filter }, () => ({ path: to, external: true }));
    },
  };
}

/** Makes a module of `node:path` once: each file that imports its default would copy all of it. */
function withOnePath() {
  const namespace = "one-path";
  return {
    name: namespace,
    /** @param {import("esbuild").PluginBuild} build */
    setup(build) {
      build.onResolve({ filter: /^node:path$/ }, ({ path: name, namespace: importer }) =>
        importer === namespace ? { path: name, external: true } : { path: name, namespace },
      );
      build.onLoad({ filter: /.*/, namespace }, () => ({
        contents: `import path from "node:path";
          export default path;
          export const { ${Object.keys(path).join(", ")} } = path;`,
      }));
    },
  };
}

/** Leaves out the tables of the formatter of `jsonc-parser`, which nobody calls: they are made as its module loads. */
function withoutFormatter() {
  return {
    name: "without-formatter",
    /** @param {import("esbuild").PluginBuild} build */
    setup(build) {
      build.onResolve({ filter: /^\.\/string-intern$/ }, ({ path: name, resolveDir }) => ({
        path: path.join(resolveDir, `${name}.js`),
        sideEffects: false,
      }));
    },
  };
}

/** The JSON schemas of the built-in tools, which are derived from those that check calls: here, instead of with each start. */
function withToolSchemas() {
  return {
    name: "with-tool-schemas",
    /** @param {import("esbuild").PluginBuild} build */
    setup(build) {
      const filter = /[/\\]src[/\\]core[/\\]tools[/\\]set[/\\]built-schemas\.ts$/;
      build.onLoad({ filter }, async () => {
        const contents = `import { defaultTools } from "./src/core/tools/registry.ts";
          export const schemas = Object.fromEntries(defaultTools.map(({ name, input }) => [name, input.schema]));`;
        const { outputFiles } = await build.esbuild.build({
          stdin: { contents, resolveDir: ROOT, loader: "ts" },
          ...{
            absWorkingDir: ROOT,
            bundle: true,
            write: false,
            platform: "node",
            format: "cjs",
            logLevel: "warning",
          },
        });
        /** @type {{ exports: { schemas?: unknown } }} */
        const module = { exports: {} };
        new Function("module", "exports", "require", outputFiles[0]?.text ?? "")(
          module,
          module.exports,
          createRequire(import.meta.url),
        );
        return {
          contents: `export const builtSchemas = ${JSON.stringify(module.exports.schemas)};`,
          loader: "js",
        };
      });
    },
  };
}

/** What Nekode uses of undici. Its mocks, caches and sockets of the web are as much again, and are evaluated with its index. */
const UNDICI = `
"use strict";
Object.assign(require("./lib/dispatcher/dispatcher").prototype, { request: require("./lib/api/api-request") });
exports.Agent = require("./lib/dispatcher/agent");
exports.ProxyAgent = require("./lib/dispatcher/proxy-agent");
exports.fetch = require("./lib/web/fetch").fetch;
exports.FormData = require("./lib/web/fetch/formdata").FormData;
exports.Headers = require("./lib/web/fetch/headers").Headers;
exports.Request = require("./lib/web/fetch/request").Request;
exports.Response = require("./lib/web/fetch/response").Response;
`;

/**
 * undici with these parts alone. It goes without HTTP/2 where the runtime has none, which is never asked for here and costs a start a
 * hundredth of its time.
 */
function requestsOfUndici() {
  return {
    name: "requests-of-undici",
    /** @param {import("esbuild").PluginBuild} build */
    setup(build) {
      build.onLoad({ filter: /[/\\]node_modules[/\\]undici[/\\]index\.js$/ }, () => ({
        contents: UNDICI,
        loader: "js",
      }));
      build.onLoad({ filter: /[/\\]undici[/\\]lib[/\\]dispatcher[/\\]client-h2\.js$/ }, ({ path: file }) => {
        const [before, after, ...more] = readFileSync(file, "utf8").split("require('node:http2')");
        if (after === undefined || more.length > 0) throw new Error(`${file} does not load node:http2 once.`);
        return { contents: `${before}{ constants: {} }${after}`, loader: "js" };
      });
    },
  };
}

/**
 * The runtime of the grammars imports `node:module` in a function that has a `require` of its own, which a plain require in
 * place of the import would mean.
 */
function withPlainRequire() {
  return {
    name: "with-plain-require",
    /** @param {import("esbuild").PluginBuild} build */
    setup(build) {
      const filter = /[/\\]tree-sitter-wasm[/\\]wasm[/\\]tree-sitter\.js$/;
      build.onLoad({ filter }, ({ path: file }) => {
        const [before, after, ...more] = readFileSync(file, "utf8").split('await import("module")');
        if (after === undefined || more.length > 0) throw new Error(`${file} does not import "module" once.`);
        return {
          contents: `const nodeModule = require("node:module");\n${before}nodeModule${after}`,
          loader: "js",
        };
      });
    },
  };
}

/**
 * Escapes what `charset: "ascii"` leaves: characters of regular expressions, and of the raw templates that they are made
 * from.
 */
function asciiPatterns() {
  return {
    name: "ascii-patterns",
    /** @param {import("esbuild").PluginBuild} build */
    setup(build) {
      // Builds write their files themselves, after this.
      build.onEnd(({ outputFiles = [] }) => {
        for (const file of outputFiles.filter(({ path: name }) => name.endsWith(".js"))) {
          const escaped = file.text.replace(
            /[^\0-\x7f]/g,
            (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
          );
          file.contents = Buffer.from(escaped);
        }
      });
    },
  };
}

/** Each chunk of the panel contains only the toolkit's elements that it uses. */
function toolkitElements() {
  const indexes = {
    "@vscode/webview-ui-toolkit": "node_modules/@vscode/webview-ui-toolkit/dist/index.js",
    "@microsoft/fast-foundation": "node_modules/@microsoft/fast-foundation/dist/esm/index.js",
  };
  return directImports(
    indexes,
    /[/\\](?:webview-ui[/\\]toolkit[/\\].*\.ts|webview-ui-toolkit[/\\]dist[/\\].*\.js)$/,
  );
}

/** Leaves out a deprecated list of key codes that the toolkit does not use: esbuild cannot know that it has no effect. */
function withoutKeyCodes() {
  return {
    name: "without-key-codes",
    /** @param {import("esbuild").PluginBuild} build */
    setup(build) {
      const filter = /[/\\]fast-web-utilities[/\\]dist[/\\]key-codes\.js$/;
      build.onLoad({ filter }, ({ path: file }) => {
        const contents = readFileSync(file, "utf8").replace(
          /^export var KeyCodes;\n\(function [\s\S]*?^\}\)\(.*\);$/m,
          "",
        );
        return { contents, loader: "js" };
      });
    },
  };
}

/**
 * Puts React's renderer, as it ships, into a function in parentheses, which V8 compiles with the script, in another thread while that
 * arrives, instead of the function of a CommonJS module, which it compiles when that is called. The errors that it makes as it loads,
 * to throw them as signals to itself, get no stacks: for the first one, Chromium would find the lines of all callers, for which V8
 * would parse React and the panel's first script a second time.
 */
function earlyReact() {
  return {
    name: "early-react",
    /** @param {import("esbuild").PluginBuild} build */
    setup(build) {
      if (build.initialOptions.define?.["process.env.NODE_ENV"] !== '"production"') return;
      // A tool's bundle is in another folder than this file.
      const { absWorkingDir: resolveDir = ROOT } = build.initialOptions;
      build.onResolve({ filter: /^react-dom\/client$/ }, ({ kind }) =>
        build.resolve("./node_modules/react-dom/cjs/react-dom-client.production.js", { resolveDir, kind }),
      );
      build.onLoad({ filter: /[/\\]react-dom-client\.production\.js$/ }, ({ path: file }) => {
        const text = readFileSync(file, "utf8");
        const renderer = text
          .replace(/\brequire\(("[\w-]+")\)/g, "modules[$1]")
          .replace(
            /(?<=Exception = )Error\((formatProdErrorMessage\(\d+\))\)/g,
            "Object.assign(Object.create(Error.prototype), { message: $1 })",
          );
        const contents = `import React from "react";
          import ReactDOM from "react-dom";
          import Scheduler from "scheduler";
          const modules = { react: React, "react-dom": ReactDOM, scheduler: Scheduler };
          export const { createRoot } = (function () {
            const exports = {};
            ${renderer}
            return exports;
          })();`;
        return { contents, loader: "js" };
      });
    },
  };
}

/** Makes `import css from "./x.css?text"` the minified text, for chunks that adopt their styles. Fonts are left out. */
function styleTexts() {
  return {
    name: "style-texts",
    /** @param {import("esbuild").PluginBuild} build */
    setup(build) {
      // A tool's bundle is in another folder than this file.
      const { absWorkingDir = ROOT } = build.initialOptions;
      build.onResolve({ filter: /\.css\?text$/ }, async ({ path: named, resolveDir, kind }) => {
        const { path: file, errors } = await build.resolve(named.replace(/\?text$/, ""), {
          resolveDir,
          kind,
        });
        return { path: path.relative(absWorkingDir, file), namespace: "style-text", errors };
      });
      build.onLoad({ filter: /.*/, namespace: "style-text" }, async ({ path: file }) => {
        const { outputFiles } = await build.esbuild.build({
          entryPoints: [path.join(absWorkingDir, file)],
          bundle: true,
          minify: true,
          write: false,
          loader: { ".woff2": "empty" },
        });
        return {
          contents: outputFiles[0]?.text ?? "",
          loader: "text",
          watchFiles: [path.join(absWorkingDir, file)],
        };
      });
    },
  };
}

/** Resolves `suites:all` to a table of the extension-host suites: file name -> a function that loads it. */
function suites() {
  const folder = path.join(ROOT, "test/vscode");
  return {
    name: "suites",
    /** @param {import("esbuild").PluginBuild} build */
    setup(build) {
      build.onResolve({ filter: /^suites:all$/ }, () => ({ path: "all", namespace: "suites" }));
      build.onLoad({ filter: /.*/, namespace: "suites" }, () => {
        const files = existsSync(folder)
          ? readdirSync(folder).filter((name) => name.endsWith(".test.ts"))
          : [];
        const lines = files.sort().map((name) => `${JSON.stringify(name)}: () => require("./${name}"),`);
        return {
          contents: `export const suites = {\n${lines.join("\n")}\n};`,
          loader: "js",
          resolveDir: folder,
        };
      });
    },
  };
}
