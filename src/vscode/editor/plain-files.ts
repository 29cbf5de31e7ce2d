/**
 * File types that previews open as plain text. Language servers for these types fetch the schemas that a file names,
 * from any URL, as soon as the file is open.
 */
const EXTENSIONS = new Set([
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
const NAMES = new Set(["composer.lock", "pipfile.lock", "cargo.lock", "poetry.lock", "flake.lock"]);

/** The separators of `path` may be `/` or `\`. */
export function opensAsPlainText(path: string): boolean {
  const name = (path.split(/[/\\]/).at(-1) ?? "").toLowerCase().replace(/[. ]+$/, "");
  return NAMES.has(name) || EXTENSIONS.has(name.split(".").at(-1) ?? "");
}
