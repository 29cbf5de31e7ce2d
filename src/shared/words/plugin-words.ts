/** The words for plugins, for every host. */
import type {
  ListedPlugin,
  PluginChangeKind,
  PluginComponent,
  PluginPreview,
  PluginProblem,
} from "../plugin-list.ts";
import { reasonWords } from "./reasons/reasons.ts";
import type { Translate } from "./task-words.ts";

type Words = (t: Translate, values: readonly string[]) => string;

/** By code: why a plugin is not installed, with what to do where that is not plain. */
const REFUSALS: Readonly<Record<string, Words>> = {
  "no-such-source": (t, [address = ""]) => t("There is no folder or repository {0}.", address),
  "address-unsupported": (t, [address = ""]) =>
    t(
      "{0} cannot be used. Enter a folder, an https or ssh address of a Git repository, or owner/repository for GitHub.",
      address,
    ),
  "ref-invalid": (t, [ref = ""]) => t("{0} is not the name of a branch, a tag or a commit.", ref),
  "not-a-plugin": (t) =>
    t(
      "There is no plugin: neither a manifest (plugin.json, .claude-plugin/plugin.json) nor a component was found.",
    ),
  "no-marketplace": (t, [file = ""]) => t("There is no marketplace: {0} was not found.", file),
  "choose-plugin": (t, names) =>
    t("This is a marketplace of several plugins. Choose one of them: {0}", names.join(", ")),
  "not-in-marketplace": (t, [name = "", names = ""]) =>
    t("The marketplace has no plugin {0}. It has: {1}", name, names),
  "source-unsupported": (t, [kind = ""]) =>
    t(
      "The marketplace offers the plugin as {0}, which Nekode does not install. Plugins are installed from folders and Git repositories.",
      kind,
    ),
  "source-invalid": (t) => t("The marketplace does not say where the plugin is."),
  "installed-already": (t, [name = "", address = ""]) =>
    t("A plugin {0} from {1} is installed. Update it, or remove it first.", name, address),
  "not-installed": (t, [name = ""]) => t("There is no plugin {0}.", name),
  managed: (t, [managedBy = "", hash = ""]) =>
    t("{0} does not allow this plugin (hash {1}).", managedBy, hash),
  "changed-meanwhile": (t, [name = ""]) => t("The plugin {0} was changed meanwhile. Try again.", name),
  renamed: (t, [name = "", now = ""]) =>
    t("The plugin {0} is now called {1}. Remove it, then add the new one.", name, now),
  "git-missing": (t) => t("Git is not installed."),
  "git-failed": (t, [why = ""]) =>
    why === "timeout" ? t("Git did not finish in time.") : t("Git could not get the repository: {0}", why),
  submodule: (t, [path = ""]) =>
    t(
      "{0} is a submodule. Plugins with submodules are not installed, because their files are elsewhere.",
      path,
    ),
  "too-many-files": (t, [most = ""]) => t("The plugin has more than {0} files.", most),
  "too-large": (t, [size = ""]) => t("The plugin is larger than {0} MB.", size),
  "file-too-large": (t, [path = "", size = ""]) => t("{0} is larger than {1} MB.", path, size),
  "not-a-file": (t, [path = ""]) => t("{0} is not a file, a folder or a link.", path),
  "path-invalid": (t, [path = ""]) =>
    t(
      "The name {0} cannot be used: it is too long, or it has characters that are not possible everywhere.",
      path,
    ),
  "names-alike": (t, [one = "", other = ""]) =>
    t("{0} and {1} differ only in upper and lower case, which is not possible everywhere.", one, other),
  "link-outside": (t, [path = "", target = ""]) =>
    target === ""
      ? t("The link {0} leads out of the plugin.", path)
      : t("The link {0} leads out of the plugin, to {1}.", path, target),
  "manifest-too-large": (t, [path = "", size = ""]) => t("{0} is larger than {1} KB.", path, size),
  "manifest-not-json": (t, [path = ""]) => t("{0} is not a JSON object.", path),
  "manifest-field": (t, [path = "", field = ""]) => t("The value of {1} in {0} is not valid.", path, field),
  "manifest-version": (t, [schema = ""]) =>
    t("The plugin is written for another version of Agent Plugins: {0}", schema),
  "name-invalid": (t, [name = ""]) =>
    t("{0} cannot be the name of a plugin. Names have letters, digits, “-” and “.”.", name),
};

/** By code: what is wrong with a plugin that can be used all the same. */
const WARNINGS: Readonly<Record<string, Words>> = {
  "path-outside": (t, [field = "", path = ""]) =>
    t("{0}: the path {1} leads out of the plugin and is not used", field, path),
  "link-useless": (t, [path = ""]) => t("the link {0} leads to nothing and is left out", path),
  "git-folder": (t, [path = ""]) => t("the folder {0} of a Git repository is left out", path),
  "unknown-key": (t, [key = ""]) => t("{0} is not part of the format and is ignored", key),
  "field-ignored": (t, [field = ""]) => t("{0} has a value of an unexpected form and is ignored", field),
  "not-supported": (t, [field = ""]) => t("{0} has no effect in Nekode", field),
  "other-format": (t, [path = ""]) =>
    t("{0} is not used, because the manifest is one of Agent Plugins", path),
  "mcp-invalid": (t, [schema = ""]) =>
    t("mcp.json is not used: it must have $schema with {0}, mcpServers, and nothing else", schema),
  "missing-path": (t, [field = "", path = ""]) => t("{0}: there is nothing usable at {1}", field, path),
  "component-too-large": (t, [path = "", size = ""]) =>
    t("{0} is larger than {1} KB and is not used", path, size),
  "in-file": (t, [file = "", line = "", code = "", ...values]) =>
    `${file}:${line}: ${reasonWords(t, { code, values })}`,
};

/** Whole sentences for what refuses a plugin; the others stand in a list. */
export function pluginProblemText(t: Translate, { code, values }: PluginProblem): string {
  const words = REFUSALS[code] ?? WARNINGS[code];
  return words ? words(t, values) : [code, ...values].join(" ");
}

export function pluginKindText(t: Translate, kind: PluginComponent["kind"]): string {
  return {
    skill: t("Skills"),
    command: t("Commands"),
    agent: t("Agents"),
    hook: t("Hooks"),
    server: t("MCP servers"),
    "language-server": t("Language servers"),
  }[kind];
}

export function pluginStateText(t: Translate, state: ListedPlugin["state"]): string {
  return {
    on: t("enabled"),
    off: t("disabled"),
    changed: t("not used: its files changed after it was installed"),
  }[state];
}

export function pluginChangeText(t: Translate, change: PluginChangeKind): string {
  return { added: t("added"), changed: t("changed"), removed: t("removed") }[change];
}

/** What follows from installing it, for the preview. */
export function pluginConsequenceText(
  t: Translate,
  { components }: Pick<PluginPreview, "components">,
): string {
  const waits = components.some(({ kind }) => kind === "hook" || kind === "server");
  return waits
    ? t(
        "Nothing runs when it is installed. Its hooks and MCP servers run only after you approve each of them.",
      )
    : t("Nothing runs when it is installed.");
}
