/** Every setting with its default, unit and bounds. A test checks `contributes.configuration` against this file. */
import * as z from "zod";
import { apiKindSchema, connectionSchema } from "./models/connection.ts";
import { modelOverridesSchema } from "./models/overrides.ts";
import { ruleSwitchesSchema } from "./rule-list.ts";

const seconds = (fallback: number) => z.number().min(0).max(86_400).default(fallback);

export const SANDBOX_MODES = ["auto", "required", "off"] as const;

export const settingsSchema = z.object({
  provider: z
    .object({
      /** Address of the endpoint, up to and including its version segment. Empty: not set up. */
      baseUrl: z.string().default(""),
      /** The API that the endpoint speaks. */
      api: apiKindSchema.default("chat"),
      /** `connection/id`, or an id at the first connection; see `modelNamed`. */
      model: z.string().default(""),
      /** Model for plan mode; empty: the same model as in act mode. */
      planModel: z.string().default(""),
      protocol: z.enum(["auto", "native", "xml"]).default("auto"),
      /** Tokens; 0: the endpoint's value, or 128,000 if it reports none. */
      contextWindow: z.number().int().min(0).default(0),
      /** Tokens; 0: the endpoint's own default. */
      maxOutputTokens: z.number().int().min(0).default(0),
      /** null: not sent. */
      temperature: z.number().min(0).max(2).nullable().default(null),
      /** How long a reasoning model thinks; default: the endpoint's own. */
      reasoningEffort: z.enum(["default", "none", "low", "medium", "high"]).default("default"),
      /** Seconds until the first token. Local models may need minutes to process a long prompt. */
      firstTokenTimeout: seconds(600),
      /** Seconds between two tokens. */
      idleTimeout: seconds(120),
      headers: z.record(z.string(), z.string()).default({}),
    })
    .prefault({}),
  /** Endpoints in addition to that of `provider`. */
  connections: z.array(connectionSchema).default([]),
  /** Facts about models that take precedence over all others. */
  models: modelOverridesSchema.default({}),
  approval: z
    .object({
      read: z.boolean().default(true),
      readOutside: z.boolean().default(false),
      edit: z.boolean().default(false),
      editOutside: z.boolean().default(false),
      /** Commands that only read, in the sandbox. Has an effect only where `read` is on. */
      commandRead: z.boolean().default(true),
      commandSafe: z.boolean().default(false),
      commandAll: z.boolean().default(false),
      /** Commands run without approval even if the model marks them as requiring it. */
      ignoreRequiresApproval: z.boolean().default(false),
      web: z.boolean().default(false),
      mcp: z.boolean().default(false),
      /** Model requests that one message may cause before the user is asked; 0: no limit. */
      maxRequests: z.number().int().min(0).default(50),
      /** USD a task may cost before the user is asked; 0: no limit. */
      maxCost: z.number().min(0).default(0),
      /** USD that requests of this machine may cost in a day before the user is asked; 0: no limit. */
      maxCostPerDay: z.number().min(0).default(0),
      /** Requests of this machine in a day before the user is asked; 0: no limit. */
      maxRequestsPerDay: z.number().int().min(0).default(0),
      /** USD of a message's first request from which the user is asked before it is sent; 0: never. */
      askAboveCost: z.number().min(0).default(0),
      /**
       * Hosts on this machine or a private network from which pages may be fetched, such as `localhost:3000` or
       * `intranet`.
       */
      privateHosts: z.array(z.string()).default([]),
    })
    .prefault({}),
  tasks: z
    .object({
      /** Tasks that run at the same time. Others wait until one is done or waits for the user. 0: no limit. */
      maxRunning: z.number().int().min(0).default(4),
    })
    .prefault({}),
  worktrees: z
    .object({
      /** A command that prepares a new worktree, such as one that installs dependencies. Empty: none. */
      setup: z.string().default(""),
    })
    .prefault({}),
  search: z
    .object({
      /** The search provider that the model may use; none: it cannot search the web. */
      provider: z.enum(["none", "brave", "tavily", "searxng"]).default("none"),
      /** Address of the SearXNG server. */
      url: z.string().default(""),
    })
    .prefault({}),
  /**
   * Where commands run without asking: in a sandbox where there is one; nowhere else; or never in one. See
   * core/ports/sandbox.ts.
   */
  sandbox: z.enum(SANDBOX_MODES).default("auto"),
  commands: z
    .object({
      /**
       * Command prefixes, matched by word, that count as safe in addition to the built-in ones; see safe-commands.ts.
       */
      allow: z.array(z.string()).default([]),
      deny: z.array(z.string()).default([]),
      /** Seconds before a command moves to the background; 0: never. */
      timeout: seconds(120),
    })
    .prefault({}),
  terminal: z
    .object({
      mode: z.enum(["nekode", "shellIntegration"]).default("nekode"),
      /** Background commands end when the user leaves their session. They always end when the window closes. */
      endWithSession: z.boolean().default(false),
    })
    .prefault({}),
  notifications: z
    .object({
      /** A notification says what waits for the user, or that the task is done, while the panel is hidden. */
      enabled: z.boolean().default(true),
      /** The system's sound is played for these notifications, and while the window is in the background. */
      sound: z.boolean().default(false),
    })
    .prefault({}),
  context: z
    .object({
      /** Maximum number of entries in the file list of the first environment details. */
      maxFiles: z.number().int().min(0).max(10_000).default(200),
      /** Maximum number of characters of one tool result sent to the model. */
      maxResultCharacters: z.number().int().min(1_000).default(40_000),
      /** When the window is nearly full, a summary by the model replaces earlier messages. */
      autoCondense: z.boolean().default(true),
      /** Which rules files the model gets, by source. */
      rules: ruleSwitchesSchema.prefault({}),
      /**
       * Files of rules, skills and commands to leave out, by the names that the panel shows. The user's list and the workspace's are combined.
       */
      rulesOff: z.array(z.string()).default([]),
    })
    .prefault({}),
  browser: z
    .object({
      /** Path of the browser to start; empty: the Chrome, Chromium or Edge that is installed. */
      path: z.string().default(""),
      /** Debugging address of the user's own browser, such as `http://127.0.0.1:9222`; empty: a browser is started. */
      connect: z.string().default(""),
    })
    .prefault({}),
  preferredLanguage: z.string().default(""),
  customInstructions: z.string().default(""),
  checkpoints: z
    .object({
      enabled: z.boolean().default(true),
      /** Maximum size, in megabytes, of the file contents stored for one project. The oldest are deleted first. */
      maxSize: z.number().int().min(10).max(100_000).default(1_000),
    })
    .prefault({}),
  /** Tasks read what earlier tasks noted about the project, and can note more. */
  memory: z.boolean().default(true),
  titles: z
    .object({
      /** After the first turn, an extra request asks the model for the task's title. */
      fromModel: z.boolean().default(false),
    })
    .prefault({}),
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
