/**
 * The terminal host's configuration, `config.json`: its schema, and the errors in a text. JSON with comments. It never contains
 * an API key, because files are copied, synced and shown to others.
 */
import { createScanner, type Node } from "jsonc-parser";
import { propertiesOf, propertyOf, readConfigText } from "../../core/servers/config/config-text.ts";
import { connectionSchema } from "../../shared/models/connection.ts";
import { modelOverrideSchema } from "../../shared/models/overrides.ts";
import { levelSchema } from "../../shared/permission/levels.ts";
import { settingsSchema } from "../../shared/settings.ts";
import * as z from "../../shared/zod.ts";

const { provider, approval, commands, memory, sandbox, search, telemetry, worktrees } = settingsSchema.shape;
const providerShape = provider.def.innerType.shape;
const approvalShape = approval.def.innerType.shape;
const { allow, deny, timeout } = commands.def.innerType.shape;
const telemetryShape = telemetry.def.innerType.shape;
const worktreesShape = worktrees.def.innerType.shape;
const searchShape = search.def.innerType.shape;

export const userConfigSchema = z.partial(
  z.object({
    version: z.literal(1),
    connections: z.array(connectionSchema),
    model: z.string(),
    planModel: z.string(),
    /** What runs without asking, as in the panel. */
    permission: levelSchema,
    sandbox: sandbox.def.innerType,
    protocol: providerShape.protocol.def.innerType,
    reasoningEffort: providerShape.reasoningEffort.def.innerType,
    temperature: providerShape.temperature.def.innerType,
    contextWindow: providerShape.contextWindow.def.innerType,
    maxOutputTokens: providerShape.maxOutputTokens.def.innerType,
    models: z.record(z.string(), z.object(modelOverrideSchema.shape)),
    limits: z.partial(
      z.object({
        maxRequests: approvalShape.maxRequests.def.innerType,
        maxCost: approvalShape.maxCost.def.innerType,
      }),
    ),
    commands: z.partial(
      z.object({ allow: allow.def.innerType, deny: deny.def.innerType, timeout: timeout.def.innerType }),
    ),
    web: z.partial(z.object({ privateHosts: z.array(z.string()) })),
    search: z.partial(z.object({ provider: searchShape.provider.def.innerType, url: z.string() })),
    worktrees: z.partial(z.object({ setup: worktreesShape.setup.def.innerType })),
    telemetry: z.partial(
      z.object({
        export: telemetryShape.export.def.innerType,
        endpoint: telemetryShape.endpoint.def.innerType,
        file: telemetryShape.file.def.innerType,
        content: telemetryShape.content.def.innerType,
      }),
    ),
    preferredLanguage: z.string(),
    customInstructions: z.string(),
    memory: memory.def.innerType,
  }),
);
export type UserConfig = z.infer<typeof userConfigSchema>;

/** A step of a path: a key, or the index in a list. */
export type PathStep = string | number;

/** Why a file cannot be used. `line`: from 1. */
export type ConfigFault =
  /** `cut`: the text ends too early. */
  | { code: "not-json"; line: number; cut: boolean }
  | { code: "later-version"; line: number; version: string }
  | { code: "has-key"; line: number; path: readonly PathStep[] }
  | { code: "invalid"; line: number; path: readonly PathStep[]; issue: z.core.$ZodIssue };

export class ConfigError extends Error {
  override name = "ConfigError";

  constructor(
    readonly file: string,
    readonly fault: ConfigFault,
  ) {
    super(`${file}, line ${fault.line}: ${fault.code}`);
  }
}

export interface ReadConfig {
  config: UserConfig;
  /** Keys that this version does not know, which have no effect. */
  unknown: { path: PathStep[]; line: number }[];
}

/** Throws ConfigError. `file`: for the error. */
export function readUserConfig(text: string, file: string): ReadConfig {
  const { root, errorAt, lineAt } = readConfigText(text);
  if (errorAt !== undefined) {
    const last = Math.max(0, text.trimEnd().length - 1);
    throw new ConfigError(file, {
      code: "not-json",
      line: lineAt(Math.min(errorAt, last)),
      cut: errorAt >= last || endsWithin(text),
    });
  }
  if (!root) return { config: {}, unknown: [] };
  const lineOf = (path: readonly PathStep[]) => lineAt(closestNode(root, path).offset);
  const value = plainValue(root);
  const version = propertyOf(root, "version")?.value.value;
  if (version !== undefined && version !== 1)
    throw new ConfigError(file, {
      code: "later-version",
      line: lineOf(["version"]),
      version: String(version),
    });
  const secret = secretIn(value, []);
  if (secret) throw new ConfigError(file, { code: "has-key", line: lineOf(secret), path: secret });
  const parsed = userConfigSchema.safeParse(value);
  const issue = parsed.error?.issues[0];
  if (issue) {
    const path = issue.path.map((step) => (typeof step === "number" ? step : String(step)));
    throw new ConfigError(file, { code: "invalid", line: lineOf(path), path, issue });
  }
  const config = parsed.data ?? {};
  return { config, unknown: unknownIn(value, config, []).map((path) => ({ path, line: lineOf(path) })) };
}

/** Whether a bracket is still open at the end. */
function endsWithin(text: string): boolean {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (;;) {
    scanner.scan();
    const offset = scanner.getTokenOffset();
    if (offset >= text.length) break;
    const first = text.charAt(offset);
    if (first === "{" || first === "[") depth++;
    else if (first === "}" || first === "]") depth--;
  }
  return depth > 0;
}

/** Property names that suggest an API key. `keyEnv` is the name of an environment variable. */
const KEY_NAMES = /^(?:api[-_]?)?(?:key|token|secret|password)s?$|^authorization$/i;
const KEY_HEADERS = /authorization|api[-_]?key|token|secret|cookie|password/i;
/** Prefixes of the API keys of common services. */
const KEY_VALUES =
  /^(?:Bearer\s+)?(?:sk-[\w-]{16,}|gsk_\w{16,}|xai-\w{16,}|AIza[\w-]{30,}|github_pat_\w{20,}|ghp_\w{20,})/;

/** Returns the path of what looks like a key. */
function secretIn(value: unknown, path: readonly PathStep[]): PathStep[] | undefined {
  const name = path.at(-1);
  if (typeof value === "string") {
    const named =
      typeof name === "string" &&
      (path.at(-2) === "headers" ? KEY_HEADERS.test(name) : KEY_NAMES.test(name) && path[0] !== "models");
    // The name of a variable, not its value.
    const misplaced = name === "keyEnv" && !/^[A-Za-z_]\w*$/.test(value);
    return named || misplaced || KEY_VALUES.test(value) || hasPassword(value) ? [...path] : undefined;
  }
  if (value === null || typeof value !== "object") return undefined;
  const entries: [PathStep, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  for (const [step, inner] of entries) {
    const found = secretIn(inner, [...path, step]);
    if (found) return found;
  }
  return undefined;
}

function hasPassword(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { password, searchParams } = new URL(text);
  return password !== "" || [...searchParams.keys()].some((name) => KEY_NAMES.test(name));
}

/** Returns the paths of what parsing dropped. */
function unknownIn(value: unknown, parsed: unknown, path: readonly PathStep[]): PathStep[][] {
  if (value === null || typeof value !== "object" || parsed === null || typeof parsed !== "object") return [];
  const known = new Map<string, unknown>(Object.entries(parsed));
  return Object.entries(value).flatMap(([name, inner]) => {
    const step = Array.isArray(value) ? Number(name) : name;
    // An editor's hint, not a setting.
    if (name === "$schema" && path.length === 0) return [];
    return known.has(name) ? unknownIn(inner, known.get(name), [...path, step]) : [[...path, step]];
  });
}

/** Like jsonc-parser's own, without a prototype for hostile keys; of equal keys the last one. */
function plainValue(node: Node): unknown {
  if (node.type === "array") return (node.children ?? []).map(plainValue);
  if (node.type !== "object") return node.value;
  return Object.fromEntries(propertiesOf(node).map(({ key, value }) => [key, plainValue(value)]));
}

/** Returns the node at a path; undefined if there is none. */
export function nodeAt(root: Node, path: readonly PathStep[]): Node | undefined {
  return path.reduce<Node | undefined>(
    (node, step) => (typeof step === "number" ? node?.children?.[step] : propertyOf(node, step)?.value),
    root,
  );
}

/** Returns the node at a path, or the innermost one around it. */
function closestNode(root: Node, path: readonly PathStep[]): Node {
  for (let length = path.length; length > 0; length--) {
    const node = nodeAt(root, path.slice(0, length));
    if (node) return node;
  }
  return root;
}

/** Returns `a.b[0]["c.d"]`. */
export function pathText(path: readonly PathStep[]): string {
  return path
    .map((step, index) => {
      if (typeof step === "number") return `[${step}]`;
      if (!/^[\w$*/:-]+$/.test(step)) return `[${JSON.stringify(step)}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join("");
}
