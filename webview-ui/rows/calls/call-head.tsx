/** The header line of every call: the action, its subject and its outcome. */
import type { ReactNode } from "react";
import type { ToolPresentation } from "../../../src/shared/tool-presentation.ts";
import type { BackgroundCommand } from "../../../src/shared/view/background-command.ts";
import { waitsForUser } from "../../../src/shared/view/child-task.ts";
import type { CallRow, ChatView } from "../../../src/shared/view/reducer.ts";
import { callStateText, exitText, noteText } from "../../../src/shared/words/outcome-words.ts";
import { callSubject, callTitle, type Translate } from "../../../src/shared/words/task-words.ts";
import { LinkTo } from "../../markdown/link.tsx";
import { usePanel, useView } from "../../panel.ts";
import { duration } from "../../text/numbers.ts";
import { Visible } from "../../text/visible.tsx";
import { Icon, isDrawn } from "../../toolkit/icon.tsx";
import { ProgressRing } from "../../toolkit/progress-ring.tsx";
import { Breakable, LineCounts } from "./changes.tsx";

/** A call, and the presentation of its tool; undefined when there is no such tool. */
export interface CallProps {
  row: CallRow;
  presentation: ToolPresentation | undefined;
}

interface HeadProps extends CallProps {
  /** Buttons at the end of the line, which the pointer and the focus show. */
  actions?: ReactNode;
  children?: ReactNode;
}

export function CallHead({ row, presentation, actions, children }: HeadProps) {
  const { t } = usePanel();
  const background = useView((view) => backgroundOf(view, row));
  // In the background, the command is still running although the call has a result.
  const state = background && !background.ended ? "running" : row.state;
  const busy = state === "streaming" || state === "running";
  const isAsking = row.task !== undefined && waitsForUser(row.task);
  return (
    <div className="call-head" data-state={row.shown?.note === "refused" ? "not-run" : state}>
      {isAsking ? (
        <Icon name="question" />
      ) : busy ? (
        <ProgressRing />
      ) : (
        <CallIcon presentation={presentation} />
      )}
      <span className={children ? "call-what" : "call-what bare"}>
        <span className="call-title">{headTitle(t, presentation, { ...row, state })}</span> {children}
      </span>
      <CallStateText row={row} />
      {actions}
    </div>
  );
}

export function CallIcon({ presentation }: Pick<CallProps, "presentation">) {
  return <Icon name={presentation && isDrawn(presentation.icon) ? presentation.icon : "tools"} />;
}

/** A rejected call never started, so the words of its tool, which describe an action in progress, do not apply. */
function headTitle(t: Translate, presentation: ToolPresentation | undefined, call: CallRow): string {
  return call.state === "rejected" ? t("Rejected") : callTitle(t, presentation, call);
}

const endText = (t: Translate, state: CallRow["state"]) =>
  state === "rejected" ? "" : callStateText(t, state);

export function CallSubject({ row, presentation }: CallProps) {
  const subject = callSubject(presentation, row.subject);
  if (subject === "") return null;
  if (!presentation?.opens?.includes("file"))
    return (
      <span className={row.task === undefined ? "subject" : undefined}>
        <Breakable text={subject} />
      </span>
    );
  // The name of a file is more useful than its folders, which give way first.
  const name = subject.lastIndexOf("/", subject.length - 2) + 1;
  return (
    <span className="subject one-line" title={subject}>
      <LinkTo target={{ kind: "file", path: subject }}>
        <span className="subject-folder">
          <Visible text={subject.slice(0, name)} />
        </span>
        <span className="subject-name">
          <Visible text={subject.slice(name)} />
        </span>
      </LinkTo>
    </span>
  );
}

export function CallStateText({ row }: { row: CallRow }) {
  const { t } = usePanel();
  const note = row.shown?.note;
  const words = note === undefined ? endText(t, row.state) : noteText(t, note);
  const { exitCode = null, durationMs, stoppedByUser, background } = row.shown ?? {};
  return (
    <span className="call-state">
      <LineCounts
        added={row.shown?.added ?? row.approval?.added}
        removed={row.shown?.removed ?? row.approval?.removed}
      />
      {stoppedByUser || (exitCode !== null && exitCode !== 0) ? (
        <span className={stoppedByUser ? undefined : "bad"}>{exitText(t, { exitCode, stoppedByUser })}</span>
      ) : null}
      {words === "" ? null : (
        <span
          className={row.state === "failed" && note === undefined ? "bad" : undefined}
          // The name of the row says it, and the question and the buttons below do.
          aria-hidden={row.state === "approval"}
        >
          {words}
        </span>
      )}
      {durationMs !== undefined && durationMs >= 1_000 && background === undefined ? (
        <span>{duration(t, durationMs)}</span>
      ) : null}
    </span>
  );
}

/** The user's comment on the approval or rejection. */
export function Comment({ row }: { row: CallRow }) {
  const { t } = usePanel();
  const comment = row.shown?.comment;
  return comment ? (
    <p className="comment">
      {t("Your comment:")} {comment}
    </p>
  ) : null;
}

/** The command that this call moved to the background; undefined if it did not, or if an earlier window ran it. */
export function backgroundOf(view: ChatView, { id, shown }: CallRow): BackgroundCommand | undefined {
  if (shown?.background === undefined) return undefined;
  return view.background.find(({ callId }) => callId === id);
}
