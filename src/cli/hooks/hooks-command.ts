/** `nekode hooks`: lists, approves and tests the hooks that the user has for other agents. */
import { unifiedDiff } from "../../core/edits/regions.ts";
import type { HookVerdict } from "../../core/hooks/hook-answer.ts";
import type { ProjectHooks } from "../../core/hooks/project-hooks.ts";
import { sampleMoment } from "../../core/hooks/sample-moment.ts";
import { SessionHooks } from "../../core/hooks/session-hooks.ts";
import type { Host } from "../../core/ports/host.ts";
import type { ListedHook } from "../../shared/hook-list.ts";
import { HOOK_READERS, hookRunText, hookStateText } from "../../shared/words/hook-words.ts";
import { reasonWords } from "../../shared/words/reasons/reasons.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import { EXIT_CODE } from "../run.ts";
import { jsonLine, oneLine, type Screen, withoutControls } from "../screen.ts";
import { UsageError } from "../usage-error.ts";
import type { HooksAction, HooksOptions } from "./hooks-options.ts";

export interface HooksHost {
  hooks: ProjectHooks;
  host: Host;
  screen: Screen;
  t: Translate;
  signal: AbortSignal;
}

/** Resolves with the exit code. Rejects with UsageError, ToolError or Interrupt. */
export async function runHooksCommand({ action, json }: HooksOptions, around: HooksHost): Promise<number> {
  const { hooks } = around;
  await hooks.load();
  switch (action.kind) {
    case "help":
      return EXIT_CODE.completed;
    case "list":
      return list(json, around);
    case "approve":
      return approve(action.ids, around);
    case "on":
    case "off":
      await hooks.act({ action: "switch", id: find(action.id, around).id, on: action.kind === "on" });
      return list(json, around);
    case "ask-if-it-fails":
      await hooks.act({ action: "ask-if-it-fails", id: find(action.id, around).id, on: action.on });
      return list(json, around);
    case "test":
      return test(action, around);
  }
}

async function list(json: boolean, { hooks, screen, t }: HooksHost): Promise<number> {
  const { hooks: all, problems } = hooks.list();
  for (const hook of all) await screen.out(json ? jsonLine(hook) : `${hookLine(hook, t)}\n`);
  for (const { file, line, reason } of problems)
    await screen.err(`${oneLine(file)}:${line}: ${oneLine(reasonWords(t, reason))}\n`);
  if (all.length === 0 && !json) await screen.err(`${t("No hooks are configured.")}\n`);
  return EXIT_CODE.completed;
}

function hookLine(hook: ListedHook, t: Translate): string {
  const asks = hook.asksIfItFails ? `, ${t("asks if it fails")}` : "";
  const state = `${hookStateText(t, hook.state)}${asks}`;
  const owner = hook.plugin === undefined ? HOOK_READERS[hook.reader] : t("plugin {0}", hook.plugin);
  const place = `${oneLine(owner)}, ${oneLine(hook.file)}:${hook.line}`;
  return `${hook.id}  ${state}  ${hook.events.join(", ")}  ${oneLine(hook.command)}  (${place})`;
}

async function approve(ids: readonly string[], around: HooksHost): Promise<number> {
  const { hooks, screen, t } = around;
  const wanted = ids.length > 0 ? ids.map((id) => find(id, around)) : hooks.list().hooks;
  for (const { id, state, content, before, file, line } of wanted) {
    if (state === "approved") continue;
    const shown = before === undefined ? content : withChanges(before, content);
    await screen.out(`${oneLine(file)}:${line}\n${withoutControls(shown.replace(/^/gm, "  "))}\n`);
    await hooks.act({ action: "approve", id, content });
    await screen.out(`${t("Approved the hook {0}.", id)}\n`);
  }
  return EXIT_CODE.completed;
}

/** The whole content, with what was removed and added marked. */
function withChanges(before: string, content: string): string {
  const diff = unifiedDiff(before, content, {
    context: before.split("\n").length + content.split("\n").length,
  });
  return diff === "" ? content : diff.split("\n").slice(1).join("\n");
}

/** The hook whose id begins so. */
function find(id: string, { hooks, t }: HooksHost): ListedHook {
  const [hook, ...more] = hooks.list().hooks.filter((each) => each.id.startsWith(id));
  if (!hook || more.length > 0)
    throw new UsageError(t("There is no hook {0}. See: {1}", id, "nekode hooks list"));
  return hook;
}

async function test(action: Extract<HooksAction, { kind: "test" }>, around: HooksHost): Promise<number> {
  const { hooks, host, screen, t, signal } = around;
  let printed = Promise.resolve();
  const tested = new SessionHooks({
    hooks,
    host,
    session: {
      id: "test",
      mode: "act",
      emit(event) {
        if (event.type !== "notice") return;
        const { values = [] } = event;
        const [line, output = ""] = [event.code === "hook" ? hookRunText(t, values) : "", values[4]];
        const indented =
          output.trim() === "" ? "" : `${withoutControls(output.trimEnd()).replace(/^/gm, "  ")}\n`;
        if (line !== "") printed = printed.then(() => screen.out(`${oneLine(line)}\n${indented}`));
      },
    },
    permissionMode: () => "default",
    stop: () => {},
  });
  const verdict = await tested.run(sampleMoment(action.event, action), signal);
  await printed;
  for (const { id, state, command, events } of hooks.list().hooks)
    if (state !== "approved" && events.includes(action.event))
      await screen.err(`${id}: ${oneLine(command)}: ${hookStateText(t, state)}\n`);
  await screen.out(`${effectOf(verdict, t)}\n`);
  return verdict.decision === "deny" || verdict.stop !== undefined
    ? EXIT_CODE.unanswered
    : EXIT_CODE.completed;
}

/** What would happen in a task. */
function effectOf(
  { decision, reason = "", stop, input, context, output }: HookVerdict,
  t: Translate,
): string {
  const parts: string[] = [];
  if (stop !== undefined) parts.push(t("The turn would end. {0}", stop));
  else if (decision === "deny") parts.push(t("It would be blocked. {0}", reason));
  else if (decision === "ask") parts.push(t("You would be asked. {0}", reason));
  else if (decision === "allow")
    parts.push(t("It would run without asking, unless it is something that always asks. {0}", reason));
  else parts.push(t("Nothing would be decided."));
  if (input) parts.push(t("The input would become: {0}", JSON.stringify(input)));
  if (context.length > 0) parts.push(t("The model would read: {0}", context.join("\n")));
  if (output !== undefined) parts.push(t("The result would become: {0}", output));
  return withoutControls(parts.map((part) => part.trim()).join("\n"));
}
