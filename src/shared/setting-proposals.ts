/**
 * What the panel and the terminal show of the settings of other agents: proposals, each of which the user can take over. Only what shows
 * them parses the list.
 */
import { agentProductSchema, PRODUCT_NAMES } from "./history/session-origin.ts";
import * as z from "./zod.ts";

export const settingProductSchema = z.enum([...agentProductSchema.options, "copilot"]);
/** Another agent whose settings can be taken over. */
export type SettingProduct = z.infer<typeof settingProductSchema>;

export const SETTING_PRODUCT_NAMES: Readonly<Record<SettingProduct, string>> = {
  ...PRODUCT_NAMES,
  copilot: "GitHub Copilot",
};

/** `builtin`: a built-in command that no longer runs without asking. */
export const proposalKindSchema = z.enum(["server", "agent", "rules", "allow", "deny", "builtin", "model"]);
export type ProposalKind = z.infer<typeof proposalKindSchema>;

/** A code with words in `setting-words.ts`. */
export const settingNoteSchema = z.object({ code: z.string(), value: z.string() });
export type SettingNote = z.infer<typeof settingNoteSchema>;

export const settingProposalSchema = z.object({
  /** Names the proposal in requests. */
  key: z.string(),
  product: settingProductSchema,
  /** The other agent's file, with `~`. */
  file: z.string(),
  kind: proposalKindSchema,
  /** What it is called there. */
  name: z.string(),
  /** Where Nekode stores it: a setting, or a file with `~`. */
  place: z.string(),
  /** What is there now, and what would be; "": nothing. */
  before: z.string(),
  after: z.string(),
  /** More would run without asking. */
  raises: z.boolean(),
  /** What the user should know about it. */
  notes: z.array(settingNoteSchema),
  /** `taken`: it was taken over, which can be undone. */
  state: z.enum(["new", "taken"]),
  /** Of all of the above, and of what would be written: a request names what was shown. */
  hash: z.string(),
});
export type SettingProposal = z.infer<typeof settingProposalSchema>;

/** A setting that is not proposed, and why. */
export const leftSettingSchema = z.object({
  product: settingProductSchema,
  file: z.string(),
  name: z.string(),
  why: settingNoteSchema,
});
export type LeftSetting = z.infer<typeof leftSettingSchema>;

/** What became of a request. `changed`: what was shown is no longer so, and nothing was written. */
export const settingOutcomeSchema = z.enum(["taken", "undone", "changed"]);
export type SettingOutcome = z.infer<typeof settingOutcomeSchema>;

export const settingListSchema = z.object({
  proposals: z.array(settingProposalSchema),
  left: z.array(leftSettingSchema),
  /** Files that were not read, and why. */
  problems: z.array(z.object({ code: z.string(), path: z.string() })),
  outcome: z.optional(settingOutcomeSchema),
});
export type SettingList = z.infer<typeof settingListSchema>;
