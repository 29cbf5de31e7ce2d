/** Every setting with its default, unit and bounds. A test checks `contributes.configuration` against this file. */
import { apiKindSchema, connectionSchema } from "./models/connection.ts";
import { modelOverridesSchema } from "./models/overrides.ts";
import { ruleSwitchesSchema } from "./rule-list.ts";
import * as z from "./zod.ts";

const seconds = (fallback: number) => z._default(z.number().check(z.gte(0), z.lte(86_400)), fallback);

export const SANDBOX_MODES = ["auto", "required", "off"] as const;

export const settingsSchema = z.object({
  provider: z.prefault(
    z.object({
      /** Address of the endpoint, up to and including its version segment. Empty: not set up. */
      baseUrl: z._default(z.string(), ""),
      /** The API that the endpoint speaks. */
      api: z._default(apiKindSchema, "chat"),
      /** `connection/id`, or an id at the first connection; see `modelNamed`. */
      model: z._default(z.string(), ""),
      /** Model for plan mode; empty: the same model as in act mode. */
      planModel: z._default(z.string(), ""),
      protocol: z._default(z.enum(["auto", "native", "xml"]), "auto"),
      /** Tokens; 0: the endpoint's value, or 128,000 if it reports none. */
      contextWindow: z._default(z.int().check(z.gte(0)), 0),
      /** Tokens; 0: the endpoint's own default. */
      maxOutputTokens: z._default(z.int().check(z.gte(0)), 0),
      /** null: not sent. */
      temperature: z._default(z.nullable(z.number().check(z.gte(0), z.lte(2))), null),
      /** How long a reasoning model thinks; default: the endpoint's own. */
      reasoningEffort: z._default(z.enum(["default", "none", "low", "medium", "high"]), "default"),
      /** Seconds until the first token. Local models may need minutes to process a long prompt. */
      firstTokenTimeout: seconds(600),
      /** Seconds between two tokens. */
      idleTimeout: seconds(120),
      headers: z._default(z.record(z.string(), z.string()), {}),
    }),
    {},
  ),
  /** Endpoints in addition to that of `provider`. */
  connections: z._default(z.array(connectionSchema), []),
  /** Facts about models that take precedence over all others. */
  models: z._default(modelOverridesSchema, {}),
  approval: z.prefault(
    z.object({
      read: z._default(z.boolean(), true),
      readOutside: z._default(z.boolean(), false),
      edit: z._default(z.boolean(), false),
      editOutside: z._default(z.boolean(), false),
      /** Commands that only read, in the sandbox. Has an effect only where `read` is on. */
      commandRead: z._default(z.boolean(), true),
      commandSafe: z._default(z.boolean(), false),
      commandAll: z._default(z.boolean(), false),
      /** Commands run without approval even if the model marks them as requiring it. */
      ignoreRequiresApproval: z._default(z.boolean(), false),
      web: z._default(z.boolean(), false),
      mcp: z._default(z.boolean(), false),
      /** Model requests that one message may cause before the user is asked; 0: no limit. */
      maxRequests: z._default(z.int().check(z.gte(0)), 50),
      /** USD a task may cost before the user is asked; 0: no limit. */
      maxCost: z._default(z.number().check(z.gte(0)), 0),
      /** USD that requests of this machine may cost in a day before the user is asked; 0: no limit. */
      maxCostPerDay: z._default(z.number().check(z.gte(0)), 0),
      /** Requests of this machine in a day before the user is asked; 0: no limit. */
      maxRequestsPerDay: z._default(z.int().check(z.gte(0)), 0),
      /** USD of a message's first request from which the user is asked before it is sent; 0: never. */
      askAboveCost: z._default(z.number().check(z.gte(0)), 0),
      /**
       * Hosts on this machine or a private network from which pages may be fetched, such as `localhost:3000` or
       * `intranet`.
       */
      privateHosts: z._default(z.array(z.string()), []),
    }),
    {},
  ),
  tasks: z.prefault(
    z.object({
      /** Tasks that run at the same time. Others wait until one is done or waits for the user. 0: no limit. */
      maxRunning: z._default(z.int().check(z.gte(0)), 4),
    }),
    {},
  ),
  worktrees: z.prefault(
    z.object({
      /** A command that prepares a new worktree, such as one that installs dependencies. Empty: none. */
      setup: z._default(z.string(), ""),
    }),
    {},
  ),
  search: z.prefault(
    z.object({
      /** The search provider that the model may use; none: it cannot search the web. */
      provider: z._default(z.enum(["none", "brave", "tavily", "searxng"]), "none"),
      /** Address of the SearXNG server. */
      url: z._default(z.string(), ""),
    }),
    {},
  ),
  /**
   * Where commands run without asking: in a sandbox where there is one; nowhere else; or never in one. See
   * core/ports/sandbox.ts.
   */
  sandbox: z._default(z.enum(SANDBOX_MODES), "auto"),
  commands: z.prefault(
    z.object({
      /**
       * Command prefixes, matched by word, that count as safe in addition to the built-in ones; see safe-commands.ts.
       */
      allow: z._default(z.array(z.string()), []),
      deny: z._default(z.array(z.string()), []),
      /** Seconds before a command moves to the background; 0: never. */
      timeout: seconds(120),
    }),
    {},
  ),
  terminal: z.prefault(
    z.object({
      mode: z._default(z.enum(["nekode", "shellIntegration"]), "nekode"),
      /** Background commands end when the user leaves their session. They always end when the window closes. */
      endWithSession: z._default(z.boolean(), false),
    }),
    {},
  ),
  notifications: z.prefault(
    z.object({
      /** A notification says what waits for the user, or that the task is done, while the panel is hidden. */
      enabled: z._default(z.boolean(), true),
      /** The system's sound is played for these notifications, and while the window is in the background. */
      sound: z._default(z.boolean(), false),
    }),
    {},
  ),
  context: z.prefault(
    z.object({
      /** Maximum number of entries in the file list of the first environment details. */
      maxFiles: z._default(z.int().check(z.gte(0), z.lte(10_000)), 200),
      /** Maximum number of characters of one tool result sent to the model. */
      maxResultCharacters: z._default(z.int().check(z.gte(1_000)), 40_000),
      /** When the window is nearly full, a summary by the model replaces earlier messages. */
      autoCondense: z._default(z.boolean(), true),
      /** Which rules files the model gets, by source. */
      rules: z.prefault(ruleSwitchesSchema, {}),
      /**
       * Files of rules, skills and commands to leave out, by the names that the panel shows. The user's list and the workspace's are combined.
       */
      rulesOff: z._default(z.array(z.string()), []),
    }),
    {},
  ),
  browser: z.prefault(
    z.object({
      /** Path of the browser to start; empty: the Chrome, Chromium or Edge that is installed. */
      path: z._default(z.string(), ""),
      /** Debugging address of the user's own browser, such as `http://127.0.0.1:9222`; empty: a browser is started. */
      connect: z._default(z.string(), ""),
    }),
    {},
  ),
  preferredLanguage: z._default(z.string(), ""),
  customInstructions: z._default(z.string(), ""),
  checkpoints: z.prefault(
    z.object({
      enabled: z._default(z.boolean(), true),
      /** Maximum size, in megabytes, of the file contents stored for one project. The oldest are deleted first. */
      maxSize: z._default(z.int().check(z.gte(10), z.lte(100_000)), 1_000),
    }),
    {},
  ),
  /** Tasks read what earlier tasks noted about the project, and can note more. */
  memory: z._default(z.boolean(), true),
  /** Spans and metrics of tasks, by OpenTelemetry's conventions. */
  telemetry: z.prefault(
    z.object({
      /** otlp: to a collector. file: appended to `file`. */
      export: z._default(z.enum(["off", "otlp", "file"]), "off"),
      /** Address of the collector; empty: that of OTEL_EXPORTER_OTLP_ENDPOINT, or http://localhost:4318. */
      endpoint: z._default(z.string(), ""),
      /** Absolute path. */
      file: z._default(z.string(), ""),
      /** Messages, and the arguments of calls, are exported too. */
      content: z._default(z.boolean(), false),
    }),
    {},
  ),
  titles: z.prefault(
    z.object({
      /** After the first turn, an extra request asks the model for the task's title. */
      fromModel: z._default(z.boolean(), false),
    }),
    {},
  ),
  servers: z.prefault(
    z.object({
      /** Address or path of a list of MCP servers in the registry's format, which is read when the user opens it; "": none. */
      gallery: z._default(z.string(), ""),
    }),
    {},
  ),
});
export type Settings = z.infer<typeof settingsSchema>;

export const defaultSettings: Settings = settingsSchema.parse({});

/**
 * The settings that a workspace may set once it is trusted. All others belong to the user or the machine (`machine` scope): they
 * determine where the key is sent, what runs, what is approved, what the model takes for the user's own words, which of the user's own
 * rules apply, what a request may cost, and whether a change can be undone.
 */
export const WORKSPACE_SETTINGS: readonly string[] = [
  "context.maxFiles",
  "context.autoCondense",
  "context.rulesOff",
];
