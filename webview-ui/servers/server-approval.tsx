/** What a project's server would run, and the button that approves exactly that. */
import type { ListedServer } from "../../src/shared/server-list.ts";
import type { Translate } from "../../src/shared/words/task-words.ts";
import { usePanel } from "../panel.ts";
import { type LineChange, lineChanges } from "../text/line-changes.ts";
import { Visible } from "../text/visible.tsx";
import { Button } from "../toolkit/button.tsx";

interface Props {
  server: ListedServer;
  content: string;
  /** Sends the approval; the block then disappears. */
  approve(): void;
  busy: boolean;
}

export function ServerApproval({ server: { name, before, source }, content, approve, busy }: Props) {
  const { t } = usePanel();
  return (
    <div className="server-approval" data-testid="server-approval">
      <p>{approvalText(t, source === "plugin", before !== undefined)}</p>
      <ContentLines content={content} before={before} />
      <div className="buttons">
        <Button
          kind="primary"
          testId="approve-server"
          label={t("Approve and start {0}", name)}
          disabled={busy}
          onPress={approve}
        >
          {t("Approve and start")}
        </Button>
      </div>
    </div>
  );
}

function approvalText(t: Translate, isOfPlugin: boolean, isChanged: boolean): string {
  if (isOfPlugin)
    return isChanged
      ? t("The plugin changed since you approved the server. It starts only after you approve the changes:")
      : t("A plugin configures the server. It starts only after you approve exactly this:");
  return isChanged
    ? t("The server changed since you approved it. It starts only after you approve the changes:")
    : t("The server starts only after you approve exactly this:");
}

/** What would run, one item a line. `before`: what the user approved earlier, with which it is compared. */
export function ContentLines({ content, before }: { content: string; before: string | undefined }) {
  const lines =
    before === undefined
      ? content.split("\n").map((text): LineChange => ({ kind: "same", text }))
      : lineChanges(before, content);
  return (
    <pre className="server-content">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one text keep their order
        <ContentLine key={index} line={line} compared={before !== undefined} />
      ))}
    </pre>
  );
}

const MARKS = { same: " ", added: "+", removed: "−" } as const;

function ContentLine({ line: { kind, text }, compared }: { line: LineChange; compared: boolean }) {
  const { t } = usePanel();
  const spoken = { same: "", added: t("Added:"), removed: t("Removed:") }[kind];
  return (
    <div className={`server-line ${kind}`}>
      {compared ? <span aria-hidden="true">{MARKS[kind]} </span> : null}
      {spoken === "" ? null : <span className="only-heard">{spoken} </span>}
      <Visible text={text} />
    </div>
  );
}
