/** Every setting with its default, unit and bounds. `contributes.configuration` is checked against this by a test. */
import * as z from "zod";
import type { RuleSource } from "./rule-list.ts";

const seconds = (fallback: number) => z.number().min(0).max(86_400).default(fallback);

/** Sources of rules, each on or off. */
const ruleSources = {
  /** The person's own, for every project. */
  global: z.boolean().default(true),
  nekode: z.boolean().default(true),
  agents: z.boolean().default(true),
  cline: z.boolean().default(true),
  cursor: z.boolean().default(true),
  windsurf: z.boolean().default(true),
  claude: z.boolean().default(true),
  copilot: z.boolean().default(true),
} satisfies Record<RuleSource, z.ZodType>;

export const settingsSchema = z.object({
  provider: z
    .object({
      /** Address of an OpenAI-compatible endpoint, up to and including its version segment. Empty: not set up. */
      baseUrl: z.string().default(""),
      model: z.string().default(""),
      /** Model for plan mode; empty: the same. */
      planModel: z.string().default(""),
      protocol: z.enum(["auto", "native", "xml"]).default("auto"),
      /** Tokens; 0: as the endpoint says, else 128,000. */
      contextWindow: z.number().int().min(0).default(0),
      /** Tokens; 0: the endpoint's own default. */
      maxOutputTokens: z.number().int().min(0).default(0),
      /** null: not sent. */
      temperature: z.number().min(0).max(2).nullable().default(null),
      /** Seconds until the first token; local models prefill for minutes. */
      firstTokenTimeout: seconds(600),
      /** Seconds between two tokens. */
      idleTimeout: seconds(120),
      headers: z.record(z.string(), z.string()).default({}),
    })
    .prefault({}),
  approval: z
    .object({
      read: z.boolean().default(true),
      readOutside: z.boolean().default(false),
      edit: z.boolean().default(false),
      editOutside: z.boolean().default(false),
      commandSafe: z.boolean().default(false),
      commandAll: z.boolean().default(false),
      /** Commands that the model marks as requiring approval run as if it had not. */
      ignoreRequiresApproval: z.boolean().default(false),
      web: z.boolean().default(false),
      mcp: z.boolean().default(false),
      /** Model requests a message may cause before the person is asked; 0: no limit. */
      maxRequests: z.number().int().min(0).default(50),
      /** USD a task may cost before the person is asked; 0: no limit. */
      maxCost: z.number().min(0).default(0),
      /** Hosts of this machine or a private network that pages may be fetched from, as `localhost:3000` or `intranet`. */
      privateHosts: z.array(z.string()).default([]),
    })
    .prefault({}),
  commands: z
    .object({
      /** Command prefixes, by word, that count as safe beside the built-in ones; see safe-commands.ts. */
      allow: z.array(z.string()).default([]),
      deny: z.array(z.string()).default([]),
      /** Seconds before a command moves to the background; 0: never. */
      timeout: seconds(120),
    })
    .prefault({}),
  terminal: z
    .object({
      mode: z.enum(["nekode", "shellIntegration"]).default("nekode"),
      /** Commands in the background end when their session is left; with the window they end in any case. */
      endWithSession: z.boolean().default(false),
    })
    .prefault({}),
  context: z
    .object({
      /** Entries of the file list in the first environment details. */
      maxFiles: z.number().int().min(0).max(10_000).default(200),
      /** Characters of one tool result that reach the model. */
      maxResultCharacters: z.number().int().min(1_000).default(40_000),
      /** A summary by the model takes the place of earlier messages when the window is nearly full. */
      autoCondense: z.boolean().default(true),
      /** Which rules files the model gets, by where they come from. */
      rules: z.object(ruleSources).prefault({}),
      /** Rules files that are left out, by the names that the panel shows. Those of the person and of a workspace add up. */
      rulesOff: z.array(z.string()).default([]),
    })
    .prefault({}),
  preferredLanguage: z.string().default(""),
  customInstructions: z.string().default(""),
  checkpoints: z
    .object({
      enabled: z.boolean().default(true),
      /** Megabytes that the contents kept for one project may take; the oldest are freed first. */
      maxSize: z.number().int().min(10).max(100_000).default(1_000),
    })
    .prefault({}),
});
export type Settings = z.infer<typeof settingsSchema>;

export const defaultSettings: Settings = settingsSchema.parse({});

/**
 * Settings that a workspace may not set (`machine` scope); an entry that ends with a dot is a prefix. They decide where the
 * key goes, what runs, what is approved, what the model takes for the user's own words, which of the user's own rules
 * apply, what a request may cost, and whether a change can be undone.
 */
export const machineScoped = [
  "provider.",
  "approval.",
  "commands.",
  "terminal.",
  "checkpoints.",
  "context.maxResultCharacters",
  "context.rules",
  "preferredLanguage",
  "customInstructions",
] as const;
