/** The further buttons of a code block, after `children`. A chunk of its own, loaded when the pointer or the focus first reaches one. */
import type { ReactNode } from "react";
import { usePanel } from "../panel.ts";
import { ToolButton } from "./tool-button.tsx";

/** Languages whose code is commands. */
const SHELLS: ReadonlySet<string> = new Set([
  ...["sh", "bash", "zsh", "fish", "shell", "console", "shellscript"],
  ...["powershell", "pwsh", "ps1", "bat", "cmd"],
]);

export default function CodeTools(props: { language: string; code(): string; children: ReactNode }) {
  const { t, actions } = usePanel();
  const { language, code, children } = props;
  return (
    <>
      {children}
      <ToolButton
        icon="insert"
        label={t("Insert at cursor")}
        testId="code-insert"
        onPress={() => actions.run("answer/insert", { text: code() })}
      />
      <ToolButton
        icon="new-file"
        label={t("Open as new file")}
        testId="code-new-file"
        onPress={() => actions.run("answer/new-file", { text: code(), language })}
      />
      {SHELLS.has(language) ? (
        <ToolButton
          icon="run"
          label={t("Run in terminal")}
          testId="code-run"
          onPress={() => actions.run("answer/run", { command: commandsOf(code(), language) })}
        />
      ) : null}
    </>
  );
}

/**
 * Removes the prompts from a transcript of a terminal. If there are prompts, lines without one are output and are removed too.
 */
function commandsOf(code: string, language: string): string {
  const lines = code.trimEnd().split("\n");
  const typed = lines.flatMap((line) => /^\s*[$%❯] (.*)$/.exec(line)?.[1] ?? []);
  const isTranscript = typed.length > 0 && (language === "console" || typed.length === lines.length);
  return isTranscript ? typed.join("\n") : lines.join("\n");
}
