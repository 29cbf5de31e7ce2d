/**
 * Reads the manifest of a plugin and finds its components. Agent Plugins 1.0 has a closed schema and fixed places; Claude Code's format
 * is read leniently. Nothing is read from outside the plugin.
 */
import type { PluginFormat, PluginProblem } from "../../shared/plugin-list.ts";
import * as z from "../../shared/zod.ts";
import { LANGUAGE_SERVERS_KEY } from "../language-servers/language-server-file.ts";
import { readConfigText } from "../servers/config/config-text.ts";
import { PluginError } from "./plugin-error.ts";
import { isUsablePath, type PluginTree } from "./plugin-tree.ts";

/** Bytes of the largest manifest, and of the largest other file of JSON. */
const LARGEST_MANIFEST = 256 * 1024;
export const LARGEST_JSON = 1024 * 1024;

const ROOT_MANIFEST = "plugin.json";
export const CLAUDE_MANIFEST = ".claude-plugin/plugin.json";
/** In order of precedence, after a manifest of Agent Plugins. The others are those that VS Code and Copilot read. */
const LENIENT_MANIFESTS = [CLAUDE_MANIFEST, ".plugin/plugin.json", ROOT_MANIFEST];

const SCHEMAS = "https://agent-plugins.org/schemas/";
const PLUGIN_SCHEMA = `${SCHEMAS}1.0.0/plugin.schema.json`;
const MCP_SCHEMA = `${SCHEMAS}1.0.0/mcp.schema.json`;

const text = z.string();
const texts = z.union([
  z.pipe(
    text,
    z.transform((one) => [one]),
  ),
  z.array(text),
]);

/** The manifest of Agent Plugins 1.0 (specification, section 5). Its other keys are reported and ignored. */
const agentPluginSchema = z.object({
  $schema: z.literal(PLUGIN_SCHEMA),
  name: text.check(
    z.maxLength(64),
    z.regex(/^(?!.*(?:--|\.\.))[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/),
    z.refine(isUsablePath),
  ),
  version: z.exactOptional(text),
  description: z.exactOptional(text),
  author: z.exactOptional(
    z.strictObject({ name: z.exactOptional(text), email: z.exactOptional(text), url: z.exactOptional(text) }),
  ),
  homepage: z.exactOptional(text),
  repository: z.exactOptional(text),
  license: z.exactOptional(text),
  keywords: z.exactOptional(z.array(text)),
  extensions: z.optional(z.unknown()),
});

const objectSchema = z.record(text, z.unknown());
/** Paths of files, or the content of such a file. */
const pathsOrContent = z.union([
  texts,
  z.pipe(
    objectSchema,
    z.transform(() => "content" as const),
  ),
]);

/** Components of Claude Code that Nekode does not have. */
const UNSUPPORTED = ["outputStyles", "workflows", "channels", "userConfig", "dependencies", "experimental"];
const CLAUDE_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/;

export interface PluginPlaces {
  skills: string[];
  commands: string[];
  agents: string[];
  hooks: string[];
  servers: string[];
  languageServers: string[];
}

export interface PluginManifest {
  name: string;
  format: PluginFormat;
  version?: string;
  description?: string;
  /** The files of the components, relative to the plugin, sorted. */
  places: PluginPlaces;
  problems: PluginProblem[];
}

/** What a marketplace says of a plugin. */
export interface ManifestFallback {
  /** For a plugin that does not say what it is called. */
  name: string;
  fields?: Readonly<Record<string, unknown>>;
  /** The fields of the marketplace replace the manifest. */
  replaces?: boolean;
}

/** Throws PluginError if the plugin cannot be used at all. */
export function readPluginManifest(tree: PluginTree, fallback: ManifestFallback): PluginManifest {
  const root = jsonOf(tree, ROOT_MANIFEST);
  const schema = root?.$schema;
  return typeof schema === "string" && schema.startsWith(SCHEMAS)
    ? agentPlugin(tree, root ?? {})
    : lenientPlugin(tree, fallback);
}

/** The object in this file; undefined: there is no such file. Throws PluginError. */
function jsonOf({ files }: PluginTree, path: string): Record<string, unknown> | undefined {
  const bytes = files.get(path)?.bytes;
  if (bytes === undefined) return undefined;
  if (bytes.length > LARGEST_MANIFEST)
    throw new PluginError("manifest-too-large", path, String(LARGEST_MANIFEST / 1024));
  const value = parsedJson(bytes);
  if (value === undefined) throw new PluginError("manifest-not-json", path);
  return value;
}

/** undefined: it is not an object of JSON. */
export function parsedJson(bytes: Uint8Array): Record<string, unknown> | undefined {
  const source = new TextDecoder().decode(bytes);
  // Refuses what is nested too deep.
  if (readConfigText(source).errorAt !== undefined) return undefined;
  try {
    return objectSchema.safeParse(JSON.parse(source)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function agentPlugin(tree: PluginTree, manifest: Readonly<Record<string, unknown>>): PluginManifest {
  if (manifest.$schema !== PLUGIN_SCHEMA)
    throw new PluginError("manifest-version", String(manifest.$schema).slice(0, 200));
  const { data, error } = agentPluginSchema.safeParse(manifest);
  const problems: PluginProblem[] = [];
  if (!data) {
    const field = error.issues[0]?.path.join(".") ?? "";
    if (field === "name") throw new PluginError("name-invalid", shortened(manifest.name));
    throw new PluginError("manifest-field", ROOT_MANIFEST, field);
  }
  for (const key of Object.keys(manifest))
    if (!Object.hasOwn(agentPluginSchema.shape, key)) problems.push({ code: "unknown-key", values: [key] });
  if (data.extensions !== undefined && !objectSchema.safeParse(data.extensions).success)
    problems.push({ code: "field-ignored", values: ["extensions"] });
  const paths = [...tree.files.keys()];
  const { name, version, description } = data;
  for (const other of [CLAUDE_MANIFEST, "hooks/hooks.json", ".mcp.json"])
    if (tree.files.has(other)) problems.push({ code: "other-format", values: [other] });
  return {
    name,
    format: "agent-plugins",
    ...(version === undefined ? {} : { version }),
    ...(description === undefined ? {} : { description }),
    places: {
      skills: paths.filter((path) => /^skills\/[^/]+\/SKILL\.md$/.test(path)),
      commands: [],
      agents: [],
      hooks: [],
      servers: agentServers(tree, problems),
      languageServers: [],
    },
    problems,
  };
}

/** `mcp.json` of Agent Plugins, if it is of the version of the manifest. */
function agentServers({ files }: PluginTree, problems: PluginProblem[]): string[] {
  const bytes = files.get("mcp.json")?.bytes;
  if (bytes === undefined) return [];
  const value = bytes.length > LARGEST_JSON ? undefined : parsedJson(bytes);
  const isUsable =
    value?.$schema === MCP_SCHEMA &&
    objectSchema.safeParse(value.mcpServers).success &&
    Object.keys(value).every((key) => key === "$schema" || key === "mcpServers");
  if (!isUsable) problems.push({ code: "mcp-invalid", values: [MCP_SCHEMA] });
  return isUsable ? ["mcp.json"] : [];
}

function lenientPlugin(tree: PluginTree, fallback: ManifestFallback): PluginManifest {
  const file = LENIENT_MANIFESTS.find((path) => tree.files.has(path));
  const own = file === undefined || fallback.replaces ? {} : (jsonOf(tree, file) ?? {});
  const fields = { ...fallback.fields, ...own };
  const problems: PluginProblem[] = [];
  const read = <T>(field: string, schema: z.ZodMiniType<T>): T | undefined => {
    const value = fields[field] ?? undefined;
    const parsed = value === undefined ? undefined : schema.safeParse(value);
    if (parsed && !parsed.success) problems.push({ code: "field-ignored", values: [field] });
    return parsed?.data;
  };
  for (const field of UNSUPPORTED)
    if (fields[field] !== undefined) problems.push({ code: "not-supported", values: [field] });
  const name = typeof own.name === "string" ? own.name : fallback.name;
  if (!CLAUDE_NAME.test(name) || !isUsablePath(name)) throw new PluginError("name-invalid", shortened(name));
  const [version, description] = [read("version", text), read("description", text)];
  const finder = new PlaceFinder(tree, problems);
  const inline = (field: string) => (Object.hasOwn(own, field) ? file : undefined);
  const places: PluginPlaces = {
    skills: finder.skills(read("skills", texts) ?? []),
    commands: finder.markdown("commands", read("commands", texts) ?? []),
    agents: finder.markdown("agents", read("agents", texts) ?? []),
    hooks: finder.json("hooks/hooks.json", "hooks", read("hooks", pathsOrContent) ?? [], inline("hooks")),
    servers: finder.json(
      ".mcp.json",
      "mcpServers",
      read("mcpServers", pathsOrContent) ?? [],
      inline("mcpServers"),
    ),
    languageServers: finder.json(
      ".lsp.json",
      LANGUAGE_SERVERS_KEY,
      read(LANGUAGE_SERVERS_KEY, pathsOrContent) ?? [],
      inline(LANGUAGE_SERVERS_KEY),
    ),
  };
  if (file === undefined && Object.values(places).every((found) => found.length === 0))
    throw new PluginError("not-a-plugin");
  return {
    name,
    format: "claude",
    ...(version === undefined ? {} : { version }),
    ...(description === undefined ? {} : { description }),
    places,
    problems,
  };
}

function shortened(value: unknown): string {
  return String(value).slice(0, 80);
}

class PlaceFinder {
  readonly #paths: readonly string[];
  readonly #problems: PluginProblem[];

  constructor({ files }: PluginTree, problems: PluginProblem[]) {
    this.#paths = [...files.keys()];
    this.#problems = problems;
  }

  /** Those of the default folder, and those of the named ones, each of which has skills or is one. */
  skills(named: readonly string[]): string[] {
    const folders = ["skills", ...named.flatMap((path) => this.#inside("skills", path) ?? [])];
    const found = folders.flatMap((folder) => {
      const skills = this.#below(folder).filter((path) =>
        /^(?:[^/]+\/)?SKILL\.md$/.test(path.slice(prefixOf(folder).length)),
      );
      if (skills.length === 0 && folder !== "skills") this.#report("missing-path", "skills", folder);
      return skills;
    });
    return unique(found);
  }

  /** Those of the default folder, and the named files and those of the named folders. */
  markdown(folder: "commands" | "agents", named: readonly string[]): string[] {
    const places = [folder, ...named.flatMap((path) => this.#inside(folder, path) ?? [])];
    const found = places.flatMap((place) => {
      const files = this.#paths.includes(place) ? [place] : this.#below(place);
      const markdown = files.filter((path) => /\.md$/i.test(path) && !path.endsWith("/SKILL.md"));
      if (markdown.length === 0 && place !== folder) this.#report("missing-path", folder, place);
      return markdown;
    });
    return unique(found);
  }

  /** The default file, and the named ones. `inline`: the file in which the value itself is, if it is no path. */
  json(
    standard: string,
    field: string,
    named: readonly string[] | "content",
    inline: string | undefined,
  ): string[] {
    const places = this.#paths.includes(standard) ? [standard] : [];
    if (named === "content") {
      if (inline === undefined) this.#report("not-supported", field);
      else places.push(inline);
      return unique(places);
    }
    for (const path of named) {
      const place = this.#inside(field, path);
      if (place === undefined) continue;
      if (this.#paths.includes(place)) places.push(place);
      else this.#report("missing-path", field, place);
    }
    return unique(places);
  }

  /** A path of the manifest, relative to the plugin; undefined: it leaves the plugin. "": the plugin itself. */
  #inside(field: string, path: string): string | undefined {
    const plain = path.replace(/^(?:\.\/)+/, "").replace(/\/+$/, "");
    if (plain === "" || plain === ".") return "";
    if (isUsablePath(plain)) return plain;
    this.#report("path-outside", field, path.slice(0, 200));
    return undefined;
  }

  #below(folder: string): string[] {
    return this.#paths.filter((path) => path.startsWith(prefixOf(folder)));
  }

  #report(code: string, ...values: string[]): void {
    this.#problems.push({ code, values });
  }
}

function prefixOf(folder: string): string {
  return folder === "" ? "" : `${folder}/`;
}

function unique(paths: readonly string[]): string[] {
  return [...new Set(paths)].sort();
}
