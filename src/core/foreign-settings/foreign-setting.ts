/**
 * A setting of another agent in the one form that all readers of its files produce. Nothing in it is trusted: it is data of which
 * `propose.ts` makes what the user sees, and what would be written.
 */
import type { SettingNote, SettingProduct } from "../../shared/setting-proposals.ts";

export type RuleAction = "allow" | "ask" | "deny";

/**
 * Which commands a rule is about. `exact`: this command. `words`: also with more words. `beginning`: whatever begins with these letters.
 * `glob`: `*` stands for any text and `?` for a character. `regex`: a regular expression.
 */
export interface CommandPattern {
  form: "exact" | "words" | "beginning" | "glob" | "regex";
  text: string;
}

export type ForeignSetting =
  | { kind: "server"; name: string; entry: ForeignServer; inputs?: readonly unknown[] }
  /** A mode of Roo Code, or an agent in a configuration file of opencode; see `agents.ts`. */
  | { kind: "agent"; name: string; format: "roo" | "opencode"; fields: Readonly<Record<string, unknown>> }
  /** A file of rules. */
  | { kind: "rules"; name: string; text: string }
  /** `command` absent: the rule is about something other than commands, or about all of them; `why` gives the reason. */
  | { kind: "rule"; action: RuleAction; name: string; command: CommandPattern }
  /** `maker`: the preset of the connection that offers it, or the connection's name. */
  | { kind: "model"; name: string; maker: string; id: string }
  /** It has no counterpart. */
  | { kind: "other"; name: string; why: SettingNote };

/** An entry with the keys of our own configuration file. */
export interface ForeignServer {
  type?: unknown;
  command?: unknown;
  args?: unknown;
  env?: unknown;
  cwd?: unknown;
  url?: unknown;
  headers?: unknown;
  disabled?: unknown;
  /** Seconds. */
  timeout?: unknown;
  /** Keys of the other agent that have no effect here. */
  dropped?: readonly string[];
}

/** What a file of another agent contains. */
export interface ForeignSettingsFile {
  product: SettingProduct;
  /** Absolute. */
  file: string;
  /** It is in a repository, so that it cannot allow anything or choose a model. */
  isOfProject: boolean;
  settings: readonly ForeignSetting[];
  /** Which of several rules for a command counts there. Default: the strictest one. */
  precedence?: "last";
}
