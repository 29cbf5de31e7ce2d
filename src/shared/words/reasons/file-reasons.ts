/** Reasons of the policy and of the judge of paths, and those about the files that a command touches. */
import type { ReasonRule } from "./reason-rule.ts";

/** They repeat what kind of call it is: the panel's rows leave them out. */
export const ordinaryRules: readonly ReasonRule[] = [
  { code: "reading-asks", phrases: [/^reading files asks$/], words: (t) => t("reading files asks") },
  { code: "editing-asks", phrases: [/^editing files asks$/], words: (t) => t("editing files asks") },
  { code: "commands-ask", phrases: [/^commands ask$/], words: (t) => t("commands ask") },
  { code: "web-asks", phrases: [/^web access asks$/], words: (t) => t("web access asks") },
  { code: "mcp-asks", phrases: [/^MCP tools ask$/], words: (t) => t("MCP tools ask") },
  { code: "none", phrases: [/^$/], words: () => "" },
];

export const allowedRules: readonly ReasonRule[] = [
  {
    code: "allow-listed",
    phrases: [/^`(.+)` is on the allow list$/s],
    words: (t, entry) => t("{0} is on the allow list", entry),
  },
  {
    code: "all-commands-approved",
    phrases: [/^all commands are approved$/],
    words: (t) => t("all commands are approved"),
  },
  {
    code: "reading-approved",
    phrases: [/^reading files is approved$/],
    words: (t) => t("reading files is approved"),
  },
  {
    code: "editing-approved",
    phrases: [/^editing files is approved$/],
    words: (t) => t("editing files is approved"),
  },
  {
    code: "web-approved",
    phrases: [/^web access is approved$/],
    words: (t) => t("web access is approved"),
  },
  { code: "mcp-approved", phrases: [/^MCP tools are approved$/], words: (t) => t("MCP tools are approved") },
  { code: "talk", phrases: [/^it only talks$/], words: (t) => t("it changes nothing") },
  { code: "inside-project", phrases: [/^inside the project$/], words: (t) => t("it is inside the project") },
];

export const policyRules: readonly ReasonRule[] = [
  {
    code: "not-judged",
    phrases: [/^the command was not judged$/],
    words: (t) => t("it was not judged"),
  },
  {
    code: "unknown-access",
    phrases: [/^an access class that is not known$/],
    words: (t) => t("it was not judged"),
  },
  {
    code: "requests-used-up",
    phrases: [/^(\d+) requests without asking are used up$/],
    words: (t, count) => t("{0} requests without asking are used up", count),
  },
  {
    code: "cost-used-up",
    phrases: [/^\$(.+) without asking are used up$/],
    words: (t, usd) => t("{0} USD without asking are used up", usd),
  },
  {
    code: "requires-approval",
    phrases: [/^the model marks it as requiring approval$/],
    words: (t) => t("the model marks it as requiring approval"),
  },
  {
    code: "always-asks",
    phrases: [/^such calls always ask$/],
    words: (t) => t("such calls always ask"),
  },
  {
    code: "waited-before",
    phrases: [/^it waited for an answer when the session was closed$/],
    words: (t) => t("it waited for an answer when the session was closed"),
  },
  {
    code: "cannot-be-kept",
    phrases: [/^not everything that it destroys can be kept$/],
    words: (t) => t("not everything that it destroys can be kept"),
  },
  {
    code: "plan-mode",
    phrases: [/^plan mode changes nothing/],
    words: (t) => t("plan mode changes nothing"),
  },
  {
    code: "deny-listed",
    phrases: [/^`(.+)` is on the deny list$/s],
    words: (t, entry) => t("{0} is on the deny list", entry),
  },
];

export const fileRules: readonly ReasonRule[] = [
  {
    code: "output-unresolved",
    phrases: [/^where tsc writes, as its configuration says, could not be found out$/],
    words: (t) => t("its configuration says where it writes, and that could not be found out"),
  },
  {
    code: "path-unresolved",
    phrases: [/^where the path leads could not be found out(?: \(.*\))?$/, /^links that lead in a circle$/],
    words: (t) => t("where the path leads could not be found out"),
  },
  {
    code: "path-unusable",
    phrases: [
      /^the path contains a NUL character$/,
      /^the path is too long$/,
      /^the file system has no such root$/,
      /^~ is not expanded in paths$/,
    ],
    words: (t) => t("it is no path that can be used"),
  },
  {
    code: "alternate-data-stream",
    phrases: [/^the path may name an alternate data stream$/],
    words: (t) => t("the path may name a hidden part of a file"),
  },
  {
    code: "path-on-another-machine",
    phrases: [/^the path may be on another machine$/, /^an archive on another machine$/],
    words: (t) => t("the path may be on another machine"),
  },
  {
    code: "project-folder-itself",
    phrases: [/^it is the project's folder itself$/],
    words: (t) => t("it is the project's folder itself"),
  },
  {
    code: "reads-secret-file",
    phrases: [/^(.+), which it reads, may hold secrets$/s],
    words: (t, path) => t("it reads {0}, which may hold secrets", path),
  },
  {
    code: "reads-ignored-file",
    phrases: [/^(.+), which it reads, is named in \.nekodeignore$/s],
    words: (t, path) => t("it reads {0}, which .nekodeignore names", path),
  },
  {
    code: "folder-not-searchable",
    phrases: [/^(.+) (?:holds more files than can|could not) be looked through for secrets(?: \(.*\))?$/s],
    words: (t, path) => t("{0} cannot be looked through for secrets", path),
  },
  {
    code: "ignored-file",
    phrases: [/^it is named in \.nekodeignore$/],
    words: (t) => t("it is named in .nekodeignore"),
  },
  {
    code: "ignored-name",
    phrases: [/^(.+) is named in \.nekodeignore$/s],
    words: (t, path) => t("{0} is named in .nekodeignore", path),
  },
  {
    code: "pattern-several-files",
    phrases: [/^(.+) may match several files$/s],
    words: (t, word) => t("{0} may match several files", word),
  },
  {
    code: "pattern-option",
    phrases: [/^(.+) may match a file whose name is an option$/s],
    words: (t, word) => t("{0} may match a file whose name is an option", word),
  },
  {
    code: "pattern-secret",
    phrases: [/^(.+) may match (.+)$/s],
    words: (t, word, name) => t("{0} may match {1}, which may hold secrets", word, name),
  },
  {
    code: "outside-project",
    phrases: [/^(.+) is outside the project$/s, /^(.+), which is outside the project$/s],
    words: (t, path) => t("{0} is outside the project", path),
  },
  {
    code: "link-elsewhere",
    phrases: [/^(.+) may lead through a link$/s],
    words: (t, path) => t("{0} may lead somewhere else through a link", path),
  },
  {
    code: "steers-what-runs",
    phrases: [/^(.+) steers what runs$/s],
    words: (t, name) => t("{0} steers what runs on this computer", name),
  },
  {
    code: "git-hook",
    phrases: [/^a git hook$/],
    words: (t) => t("it is a git hook, which git runs by itself"),
  },
  {
    code: "package-scripts",
    phrases: [/^package\.json holds/],
    words: (t) => t("package.json holds scripts that run by name"),
  },
  {
    code: "cargo-build",
    phrases: [/^Cargo\.toml names what runs/],
    words: (t) => t("Cargo.toml names what runs while it is built"),
  },
  {
    code: "secret-file",
    phrases: [/^(.+) (?:may hold|holds) secrets$/s],
    words: (t, name) => t("{0} may hold secrets", name),
  },
  {
    code: "other-programs-memory",
    phrases: [/^\/proc shows/],
    words: (t) => t("/proc shows other programs' memory and environment"),
  },
  {
    code: "short-name",
    phrases: [/^(.+) may be the short name of a (?:protected file|file with secrets)$/s],
    words: (t, name) => t("{0} may be the short name of a protected file", name),
  },
  {
    code: "windows-device",
    phrases: [/^(.+) is the name of a device on Windows$/s],
    words: (t, name) => t("{0} is the name of a device on Windows", name),
  },
];
