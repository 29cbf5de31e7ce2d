/**
 * Detects programs that PATH may resolve to the project itself: the allow list's entries for their names do not apply
 * to them.
 */

import type { Reason } from "../../../shared/reason.ts";
import type { ShellKind } from "../../ports/shell.ts";
import type { SimpleCommand } from "../shells/shell-words.ts";
import type { ReadJudge } from "./secret-arguments.ts";

/** Words that a shell runs itself, whatever PATH contains. */
const BUILT_IN: Readonly<Record<ShellKind, RegExp>> = {
  bash: /^(?:cd|echo|pwd|printf|test|\[|true|false|:)$/,
  zsh: /^(?:cd|echo|pwd|printf|test|\[|true|false|:)$/,
  sh: /^(?:cd|echo|pwd|printf|test|\[|true|false|:)$/,
  fish: /^(?:cd|echo|pwd|printf|test|\[|true|false)$/,
  powershell: /^(?:cd|echo|pwd|[a-z]+-[a-z]+)$/i,
  cmd: /^(?:cd|echo|dir|type|ver)$/i,
};

/** Programs that run the program named by one of their words. */
const WRAPPER =
  /^(?:time|nice|nohup|timeout|command|env|xargs|stdbuf|setsid|ionice|chrt|taskset|sudo|doas|busybox|watch|exec|builtin)$/;

/** Returns why the program, or one that is named after it, may come from the project itself. */
export function shadowedProgram(
  command: SimpleCommand,
  shell: ShellKind,
  reads: Pick<ReadJudge, "program"> | undefined,
): Reason | undefined {
  const name = command.words[0]?.text ?? "";
  const texts = WRAPPER.test(name) ? command.words.map((word) => word.text) : [name];
  const programs = texts.filter((text) => !BUILT_IN[shell].test(text) && /^[^-\\/][^\\/]*$/.test(text));
  for (const program of programs) {
    const reason = reads?.program?.(program);
    if (reason !== undefined) return reason;
  }
  return undefined;
}
