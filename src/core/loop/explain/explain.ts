/** Explains why a call runs, asks or is denied, and what would make it run. All answers come from the real judge. */
import type { CommandPart, Explanation } from "../../../shared/explanation.ts";
import { type Reason, sameReason } from "../../../shared/reason.ts";
import { allowedCommands } from "../../../shared/safe-commands.ts";
import { IgnoredFiles } from "../../instructions/ignored-files.ts";
import { displayPath } from "../../tools/tool-paths.ts";
import { DiskJudge, type JudgeHost } from "../calls/disk-judge.ts";
import { type Permission, permissionFor } from "../calls/permission.ts";
import { examplesOf } from "./examples.ts";
import { commandPieces } from "./pieces.ts";
import { remedyOf, type Situation, type SituationJudge } from "./remedies.ts";

/**
 * Never changes anything. Rejects only if a grammar cannot be loaded. `other`: why a call asks although the settings allow it.
 */
export async function explain(host: JudgeHost, now: Situation, other?: Reason): Promise<Explanation> {
  const ruled = await DiskJudge.of(host, new IgnoredFiles(host));
  const unruled = await DiskJudge.of(host, { rules: async () => undefined });
  const diskOf = ({ ignoring }: Situation) => (ignoring ? ruled : unruled);
  const ask: SituationJudge = (situation) => {
    const { access, tool: name, invocation, mode } = situation.subject;
    const call = { tool: { access, name }, invocation, mode };
    return permissionFor(call, situation.settings, host, diskOf(situation));
  };
  const { command, paths } = now.subject.invocation;
  const permission = await ask(now);
  const parts = command === undefined ? undefined : await partsOf(host, now, diskOf(now), command);
  const { path } = permission;
  const shown = path === undefined ? undefined : displayPath(host.workspace, path);
  const part = command === undefined ? shown : decidingPart(permission, parts, command);
  const explained: Explanation = {
    verdict: permission.verdict,
    reason: permission.reason,
    subject: command !== undefined ? "command" : paths.length > 0 ? "path" : "other",
    ...(part === undefined ? {} : { part }),
    ...(permission.realPath === undefined ? {} : { resolved: permission.realPath }),
    ...(parts ? { parts } : {}),
  };
  if (permission.verdict === "allow")
    return other === undefined ? explained : { ...explained, verdict: "ask", reason: other };
  const asking = (parts ?? []).filter(({ verdict }) => verdict !== "allow").map(({ text }) => text);
  const applied = await remedyOf(now, asking, host.shell.kind, ask);
  if (!applied) return { ...explained, remedy: null };
  const examples = await examplesOf(now, applied, host.workspace, ask);
  return { ...explained, remedy: applied.remedy, ...(examples ? { examples } : {}) };
}

/** Each simple command with its verdict; for a line that cannot be parsed, each piece is judged separately. */
async function partsOf(
  { assets, shell }: JudgeHost,
  { settings: { commands } }: Situation,
  disk: DiskJudge,
  command: string,
): Promise<CommandPart[]> {
  const lists = { allow: allowedCommands(commands.allow, shell.kind), deny: commands.deny };
  const verdictOn = async (text: string) => (await disk.command(text)).under(lists);
  const { parts, verdict, reason } = await verdictOn(command);
  if (parts) {
    return parts.map(({ start, end, ...own }) => ({
      text: end > start ? command.slice(start, end) : command.trim(),
      verdict: own.verdict,
      reason: own.reason,
    }));
  }
  const pieces = await commandPieces(assets, command, shell.kind);
  if (pieces.length < 2) return pieces.map((text) => ({ text, verdict, reason }));
  return Promise.all(
    pieces.map(async (text) => {
      const own = await verdictOn(text);
      return { text, verdict: own.verdict, reason: own.reason };
    }),
  );
}

/** The part whose reason is the call's; the whole command if no single part decides. */
function decidingPart(
  { verdict, reason }: Permission,
  parts: readonly CommandPart[] | undefined,
  command: string,
): string | undefined {
  if (verdict === "allow") return undefined;
  const blamed = (parts ?? []).filter((part) => part.verdict !== "allow");
  return (blamed.find((part) => sameReason(part.reason, reason))?.text ?? command.trim()) || undefined;
}
