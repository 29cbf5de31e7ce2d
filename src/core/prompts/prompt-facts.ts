/** What the system prompt says of a session. It is stable within a task, so that prompt caches keep matching. */
import type { Protocol } from "../provider/provider.ts";
import type { Wording } from "../tools/set/wording.ts";

export interface PromptFacts {
  protocol: Protocol;
  wording: Wording;
  /** Names of the tools that the model can call; what the prompt says of others would lead nowhere. */
  offered: ReadonlySet<string>;
  /** The tools' documentation; only the XML protocol includes it. */
  documentation: string;
  /** What the tools of this session add to the capabilities that every session has. */
  abilities: readonly string[];
  /** The connected MCP servers, each under its name; "": none. */
  servers: string;
  /** The servers' tools are not listed but found by need. */
  serversDeferred: boolean;
  root: string;
  os: string;
  shell: string;
  home: string;
  hostName: string;
  customInstructions: string;
  /** Contents of the rules files, each under its name. */
  rules: string;
  preferredLanguage: string;
  /** What the tools of this session add to the rules. */
  toolRules: readonly string[];
}
