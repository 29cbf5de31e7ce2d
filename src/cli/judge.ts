/**
 * `nekode judge`: prints the verdict of the judge that tasks use, and the reason. Opens no store, creates no session
 * and writes nothing.
 */
import type { Readable } from "node:stream";
import { text as readText } from "node:stream/consumers";
import { ToolError } from "../core/errors.ts";
import type { JudgeHost } from "../core/loop/calls/disk-judge.ts";
import { explain } from "../core/loop/explain/explain.ts";
import type { Subject } from "../core/loop/explain/remedies.ts";
import type { Log } from "../core/ports/system.ts";
import { resolvePath } from "../core/tools/tool-paths.ts";
import { openTerminalHost } from "../node/terminal-host.ts";
import type { Explanation } from "../shared/explanation.ts";
import { reasonOf } from "../shared/reason.ts";
import { builtInCommands } from "../shared/safe-commands.ts";
import { type Settings, settingsSchema } from "../shared/settings.ts";
import { verdictText } from "../shared/words/explanation-words.ts";
import { reasonWords } from "../shared/words/reasons/reasons.ts";
import type { Translate } from "../shared/words/task-words.ts";
import type { JudgeOptions } from "./judge-options.ts";
import { jsonLine } from "./screen.ts";
import { explainedLines } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

/** Standard output for the options. Throws UsageError for an invalid path. */
export async function judged(
  { cwd, shell: kind, json, what, ...lists }: JudgeOptions,
  around: { assetsDir: string; environment: NodeJS.ProcessEnv; log: Log; stdin: Readable; t: Translate },
): Promise<string> {
  const { assetsDir, environment, log, stdin, t } = around;
  const host = await openTerminalHost({ root: cwd, assetsDir, environment, log });
  try {
    const { shell } = host;
    const judging: JudgeHost =
      kind === undefined || kind === shell.kind
        ? host
        : { ...host, shell: { kind, shadowingEntry: (program) => shell.shadowingEntry?.(program) } };
    const question = "stdin" in what ? { command: withoutEnd(await readText(stdin)) } : what;
    const subject = subjectOf(question, host.workspace);
    const judgment = await explain(judging, {
      settings: settingsOf(lists, judging.shell.kind),
      subject,
      ignoring: true,
    });
    // The approval of reads was only assumed here. The actual reason is that the path is inside the project.
    const explanation =
      judgment.verdict === "allow" && judgment.subject === "path"
        ? { ...judgment, reason: reasonOf("inside-project") }
        : judgment;
    return json ? jsonOf(explanation, t) : wordsOf(explanation, t);
  } finally {
    host.shell.dispose();
  }
}

/** Removes the line end that `echo COMMAND | nekode judge -` adds. */
function withoutEnd(command: string): string {
  return command.replace(/\r?\n$/, "");
}

/**
 * The configured settings, with every approval on, so that only the judge's verdict decides. A list in the options replaces
 * the configured one.
 */
function settingsOf({ allow, deny }: Pick<JudgeOptions, "allow" | "deny">, shell: string): Settings {
  const builtIn = builtInCommands(shell).map((entry) => `!${entry}`);
  return settingsSchema.parse({
    approval: { read: true, edit: true, commandSafe: true },
    sandbox: "off",
    commands: { ...(allow ? { allow: [...builtIn, ...allow] } : {}), ...(deny ? { deny } : {}) },
  });
}

function subjectOf(
  what: { command: string } | { path: string; access: "read" | "write" },
  workspace: Parameters<typeof resolvePath>[0],
): Subject {
  if ("command" in what)
    return { access: "command", mode: "act", invocation: { paths: [], command: what.command } };
  const access = what.access === "read" ? "read" : "edit";
  const paths = [{ path: pathOf(what.path, workspace), access: what.access }];
  return { access, mode: "act", invocation: { paths } };
}

function pathOf(given: string, workspace: Parameters<typeof resolvePath>[0]): string {
  try {
    return resolvePath(workspace, given);
  } catch (error) {
    if (error instanceof ToolError) throw new UsageError(error.message);
    throw error;
  }
}

function jsonOf({ subject: _, verdict, reason, ...rest }: Explanation, t: Translate): string {
  return jsonLine({ verdict, reason, text: reasonWords(t, reason), ...rest });
}

function wordsOf(explanation: Explanation, t: Translate): string {
  return `${verdictText(t, explanation.verdict)}\n${explainedLines(explanation, t)}`;
}
