/**
 * Which files a preview must not open in their own language: language servers fetch the schemas that such files name,
 * from anywhere, as soon as they are open.
 */
const extensions = new Set([
  ...[
    "json",
    "jsonc",
    "json5",
    "jsonl",
    "jsonld",
    "geojson",
    "topojson",
    "webmanifest",
    "importmap",
    "har",
    "avsc",
  ],
  ...[
    "code-workspace",
    "code-snippets",
    "code-profile",
    "ipynb",
    "bowerrc",
    "babelrc",
    "eslintrc",
    "jshintrc",
  ],
  ...[
    "jslintrc",
    "jscsrc",
    "swcrc",
    "prettierrc",
    "stylelintrc",
    "watchmanconfig",
    "arcconfig",
    "tern-project",
  ],
  ...["yaml", "yml", "toml", "xml", "xsd", "xsl", "xslt", "wsdl", "dtd", "rng"],
]);
const names = new Set(["composer.lock", "pipfile.lock", "cargo.lock", "poetry.lock", "flake.lock"]);

/** `path` with `/` or `\`. */
export function opensAsPlainText(path: string): boolean {
  const name = (path.split(/[/\\]/).at(-1) ?? "").toLowerCase().replace(/[. ]+$/, "");
  return names.has(name) || extensions.has(name.split(".").at(-1) ?? "");
}
