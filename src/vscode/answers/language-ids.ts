/** The editor's languages by the names that code blocks use. */
const ALIASES: Readonly<Record<string, string>> = {
  bash: "shellscript",
  console: "shellscript",
  cs: "csharp",
  "c#": "csharp",
  "c++": "cpp",
  docker: "dockerfile",
  golang: "go",
  js: "javascript",
  jsx: "javascriptreact",
  md: "markdown",
  node: "javascript",
  ps1: "powershell",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sh: "shellscript",
  shell: "shellscript",
  ts: "typescript",
  tsx: "typescriptreact",
  yml: "yaml",
  zsh: "shellscript",
};

/** undefined: the editor does not have the language. */
export function languageIdOf(name: string, known: readonly string[]): string | undefined {
  const lower = name.toLowerCase();
  return [ALIASES[lower], lower].find((id) => id !== undefined && known.includes(id));
}
