/**
 * Finds a setting that makes a call run without asking. The real judge checks the candidates, each in a situation with other
 * settings; the first allowed one is used.
 */
import type { Access } from "../../../shared/event.ts";
import type { Remedy } from "../../../shared/explanation.ts";
import type { Mode } from "../../../shared/message.ts";
import type { SessionSettings } from "../../../shared/permission/session-permission.ts";
import type { ReasonCode } from "../../../shared/reason.ts";
import type { ShellKind } from "../../ports/shell.ts";
import { approvalPrefix, spelled } from "../../safety/commands/approval-prefix.ts";
import { entryWords } from "../../safety/commands/prefixes.ts";
import type { Invocation } from "../../tools/tool.ts";
import type { Permission } from "../calls/permission.ts";

/** A call that is judged. */
export interface Subject {
  access: Access;
  /** The tool's name, for the exceptions of the session. */
  tool?: string;
  invocation: Pick<Invocation, "paths" | "command" | "requiresApproval" | "site"> & {
    view?: Pick<Invocation["view"], "server">;
  };
  mode: Mode;
}

/** The input of the judge, so that an explanation can judge again with other settings. */
export interface Situation {
  settings: SessionSettings;
  subject: Subject;
  /** False: .nekodeignore is disregarded. */
  ignoring: boolean;
}

/** The real judge's verdict in a situation. */
export type SituationJudge = (situation: Situation) => Promise<Permission>;

/** A remedy, and the situation in which it is in effect. */
export interface AppliedRemedy {
  remedy: Remedy;
  situation: Situation;
}

type Approval = Situation["settings"]["approval"];
type Toggle = {
  [Name in keyof Approval]: Approval[Name] extends boolean ? Name : never;
}[keyof Approval];

/** Settings that may apply to each access class, except the one that approves all commands. */
const TOGGLES: Record<Situation["subject"]["access"], readonly Toggle[]> = {
  read: ["read", "readOutside"],
  edit: ["edit", "editOutside"],
  command: ["commandRead", "commandSafe", "ignoreRequiresApproval"],
  web: ["web"],
  mcp: ["mcp"],
  talk: [],
};
/** Reasons that .nekodeignore causes. */
const IGNORED: ReadonlySet<ReasonCode> = new Set(["ignored-file", "ignored-name"]);
const LONGEST_ENTRY = 12;
/** Words that the shell expands; an entry ends before them. */
const EXPANDED = /[*?[\]{}$`~!\n]/;

/** `asking`: the parts of the command that need approval. undefined: no remedy helps. */
export async function remedyOf(
  now: Situation,
  asking: readonly string[],
  shell: ShellKind,
  ask: SituationJudge,
): Promise<AppliedRemedy | undefined> {
  const nothing: Remedy = { allow: [], undeny: [], settings: [] };
  const base = await withoutIgnored(
    await withoutDenied(inActMode({ remedy: nothing, situation: now }), ask),
    ask,
  );
  const runs = async ({ situation }: AppliedRemedy) => (await ask(situation)).verdict === "allow";
  const toggled = subsets(TOGGLES[now.subject.access].filter((name) => !now.settings.approval[name])).map(
    (names) => withToggles(base, names),
  );
  for (const candidate of toggled) if (await runs(candidate)) return candidate;
  if (now.subject.invocation.command === undefined) return undefined;
  const entries = await entriesFor(base.situation, asking, shell, ask);
  if (!entries) return undefined;
  for (const candidate of toggled) {
    const listed = {
      remedy: { ...candidate.remedy, allow: entries },
      situation: withAllowed(candidate.situation, entries),
    };
    if (await runs(listed)) return listed;
  }
  return undefined;
}

function inActMode(applied: AppliedRemedy): AppliedRemedy {
  const { subject } = applied.situation;
  if (subject.mode === "act" || !/^(?:edit|command|mcp|web)$/.test(subject.access)) return applied;
  const situation: Situation = { ...applied.situation, subject: { ...subject, mode: "act" } };
  return { remedy: { ...applied.remedy, mode: "act" }, situation };
}

/** Removes the deny list entries that apply, one at a time. */
async function withoutDenied(applied: AppliedRemedy, ask: SituationJudge): Promise<AppliedRemedy> {
  const { settings } = applied.situation;
  const { verdict, reason } = await ask(applied.situation);
  if (verdict !== "deny" || reason.code !== "deny-listed") return applied;
  const [entry] = reason.values;
  const denying = settings.commands.deny.filter((each) => entryWords(each).join(" ") === entry);
  if (denying.length === 0) return applied;
  const deny = settings.commands.deny.filter((each) => !denying.includes(each));
  return withoutDenied(
    {
      remedy: { ...applied.remedy, undeny: [...applied.remedy.undeny, ...denying] },
      situation: {
        ...applied.situation,
        settings: { ...settings, commands: { ...settings.commands, deny } },
      },
    },
    ask,
  );
}

async function withoutIgnored(applied: AppliedRemedy, ask: SituationJudge): Promise<AppliedRemedy> {
  const before = await ask(applied.situation);
  if (!IGNORED.has(before.reason.code)) return applied;
  return {
    remedy: { ...applied.remedy, unignore: true },
    situation: { ...applied.situation, ignoring: false },
  };
}

function withToggles({ remedy, situation }: AppliedRemedy, names: readonly Toggle[]): AppliedRemedy {
  const approval = { ...situation.settings.approval };
  for (const name of names) approval[name] = true;
  return {
    remedy: { ...remedy, settings: names.map((name) => `nekode.approval.${name}`) },
    situation: { ...situation, settings: { ...situation.settings, approval } },
  };
}

/** All subsets, smaller ones first, including the empty one. */
function subsets<T>(values: readonly T[]): T[][] {
  const all: T[][] = [[]];
  for (const value of values) all.push(...all.map((set) => [...set, value]));
  return all.sort((a, b) => a.length - b.length);
}

/** One entry for each part that asks, as narrow as possible; undefined if a part has none. */
async function entriesFor(
  situation: Situation,
  asking: readonly string[],
  shell: ShellKind,
  ask: SituationJudge,
): Promise<string[] | undefined> {
  const entries: string[] = [];
  for (const part of new Set(asking)) {
    const entry = await entryFor(withAllowed(situation, entries), part, shell, ask);
    if (entry === undefined) return undefined;
    if (entry !== "") entries.push(entry);
  }
  return entries.length > 0 ? entries : undefined;
}

/** The narrowest entry with which the part runs; "": the existing entries suffice; undefined: none does. */
async function entryFor(
  situation: Situation,
  part: string,
  shell: ShellKind,
  ask: SituationJudge,
): Promise<string | undefined> {
  const { settings } = situation;
  const approval = { ...settings.approval, commandSafe: true, ignoreRequiresApproval: true };
  const alone = withCommand({ ...situation, settings: { ...settings, approval } }, part);
  const runs = async (entries: string[]) => (await ask(withAllowed(alone, entries))).verdict === "allow";
  if (await runs([])) return "";
  for (const entry of new Set([approvalPrefix(part, shell), ...prefixesOf(part)])) {
    if (entry !== undefined && (await runs([entry]))) return entry;
  }
  return undefined;
}

/** The longest possible entry for a part, and all its prefixes. */
function prefixesOf(part: string): string[] {
  const words = entryWords(part);
  const end = words.findIndex((word) => EXPANDED.test(word));
  const plain = words.slice(0, Math.min(end < 0 ? words.length : end, LONGEST_ENTRY));
  return plain.map((_, i) =>
    plain
      .slice(0, plain.length - i)
      .map(spelled)
      .join(" "),
  );
}

/** The same situation with another command. */
export function withCommand(situation: Situation, command: string): Situation {
  const { subject } = situation;
  return { ...situation, subject: { ...subject, invocation: { ...subject.invocation, command } } };
}

function withAllowed(situation: Situation, entries: readonly string[]): Situation {
  const { settings } = situation;
  const allow = [...settings.commands.allow, ...entries];
  return { ...situation, settings: { ...settings, commands: { ...settings.commands, allow } } };
}
