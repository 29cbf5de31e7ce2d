/** The input of the judge, so that an explanation can judge again with other settings. */
import type { Access } from "../../../shared/event.ts";
import type { Mode } from "../../../shared/message.ts";
import type { SessionSettings } from "../../../shared/permission/session-permission.ts";
import type { Invocation } from "../../tools/tool.ts";
import type { Permission } from "../calls/permission.ts";

export interface Subject {
  access: Access;
  /** The tool's name, for the exceptions of the session. */
  tool?: string;
  invocation: Pick<Invocation, "paths" | "command" | "requiresApproval" | "site"> & {
    view?: Pick<Invocation["view"], "server">;
  };
  mode: Mode;
}

export interface Situation {
  settings: SessionSettings;
  subject: Subject;
  /** False: .nekodeignore is disregarded. */
  ignoring: boolean;
}

/** The real judge's verdict in a situation. */
export type Ask = (situation: Situation) => Promise<Permission>;

/** The same situation with another command. */
export function withCommand(situation: Situation, command: string): Situation {
  const { subject } = situation;
  return { ...situation, subject: { ...subject, invocation: { ...subject.invocation, command } } };
}

export function withAllowed(situation: Situation, entries: readonly string[]): Situation {
  const { settings } = situation;
  const allow = [...settings.commands.allow, ...entries];
  return { ...situation, settings: { ...settings, commands: { ...settings.commands, allow } } };
}
