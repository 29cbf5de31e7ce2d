/** The row of a call that waits for the user: what happens, and the answer. It never takes the focus by itself. */
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { Danger } from "../../src/shared/danger.ts";
import type { AllowScope } from "../../src/shared/permission/levels.ts";
import { withAskedPaths } from "../../src/shared/view/approval-paths.ts";
import { pendingCall } from "../../src/shared/view/chat-view.ts";
import { excludesEverything, isChoosable } from "../../src/shared/view/hunk-choice.ts";
import { approveText, dangersText } from "../../src/shared/words/approval-words.ts";
import { askedByText } from "../../src/shared/words/session-words.ts";
import { approvalQuestion, callSubject } from "../../src/shared/words/task-words.ts";
import { defaultChord } from "../keys/default-chord.ts";
import { LinkTo } from "../markdown/link.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { onDemand } from "../on-demand.tsx";
import { usePanel, useView } from "../panel.ts";
import { ApprovalFacts } from "../rows/calls/approval-facts.tsx";
import { CallHead, type CallProps, CallSubject } from "../rows/calls/call-head.tsx";
import { Breakable } from "../rows/calls/changes.tsx";
import { Visible } from "../text/visible.tsx";
import { ActionMenu, type MenuAction } from "../toolkit/action-menu.tsx";
import { Button } from "../toolkit/button.tsx";
import { Icon } from "../toolkit/icon.tsx";
import { PlainArea } from "../toolkit/plain-area.tsx";
import { DiffHunks } from "./diff-hunks.tsx";
import { FoldedText } from "./folded-text.tsx";
import { PatchFiles } from "./patch-files.tsx";
import { type PreparedAnswerState, usePreparedAnswer } from "./prepared-answer.ts";
import { ShownFiles } from "./shown-files.tsx";

/** When a call asks again because files changed, it gets a new card, in which nothing is answered yet. */
export default function ApprovalCard({ row, presentation }: CallProps) {
  const { covers, changedSince } = row.approval ?? {};
  return <Card key={JSON.stringify([covers?.hash, changedSince])} row={row} presentation={presentation} />;
}

function Card({ row, presentation }: CallProps) {
  const { t, actions } = usePanel();
  const isPending = useView((view) => pendingCall(view)?.id === row.id);
  const prepared = usePreparedAnswer(row);
  const { edited } = prepared.answer;
  const excluded: ReadonlySet<number> = new Set(prepared.answer.left);
  const setExcluded = (next: ReadonlySet<number>) =>
    prepared.prepare({ left: [...next].sort((a, b) => a - b) });
  const [answered, setAnswered] = useState(false);
  const { approval } = row;
  const question = approvalQuestion(t, approval?.access ?? "talk", approval?.created ?? false, presentation);
  const target = approval?.path ?? callSubject(presentation, row.subject);
  const named = approval && withAskedPaths(approval);
  const subject = named?.path ?? target;
  const changed = named?.files ?? [];
  const files = changed.filter(isChoosable);
  const shownFiles = changed.filter(({ at, hunks }) => at === undefined && hunks !== undefined);
  const opensDiff = presentation?.opens?.includes("diff") ?? false;
  return (
    <section className="ask" aria-label={question}>
      <CallHead row={row} presentation={presentation}>
        {changeOfFiles({ row, presentation })}
      </CallHead>
      <AskedBy row={row} />
      {/* The buttons appear together with everything that they approve, so that content that loads later does not move them. */}
      <div className="ask-subject">
        <Dangers row={row} />
        {approval?.command !== undefined ? (
          <CodeToRun text={approval.command} presentation={presentation} />
        ) : approval?.server || changed.length > 0 || subject === "" ? null : (
          <div className="ask-what">
            {presentation?.opens?.includes("file") ? (
              <LinkTo target={{ kind: "file", path: target }}>
                <Breakable text={subject} />
              </LinkTo>
            ) : (
              <code>
                <Visible text={subject} />
              </code>
            )}
            {opensDiff ? (
              <button
                type="button"
                className="link"
                onClick={() => actions.run("host/show-diff", { callId: row.id })}
              >
                {t("Open diff")}
              </button>
            ) : null}
          </div>
        )}
        {approval?.hunks ? (
          <DiffHunks
            hunks={approval.hunks}
            excluded={excluded}
            disabled={answered || edited.length > 0}
            onExcluded={setExcluded}
          />
        ) : null}
        {files.length > 0 ? (
          <PatchFiles
            files={files}
            excluded={excluded}
            edited={edited}
            disabled={answered}
            onExcluded={setExcluded}
          />
        ) : null}
        {edited.length > 0 ? (
          <p className="detail" data-testid="edited-in-diff">
            {t("You edited this change in the diff. Approving saves your version.")}
          </p>
        ) : null}
        {shownFiles.length > 0 ? <ShownFiles files={changed} /> : null}
        {presentation?.row === "proposal" ? <Markdown text={row.text} /> : null}
        {named ? (
          <ApprovalFacts
            approval={named}
            subject={subject}
            showsFiles={files.length + shownFiles.length > 0}
          />
        ) : null}
      </div>
      {isPending ? (
        <Answer
          row={row}
          presentation={presentation}
          prepared={prepared}
          answered={answered}
          onAnswered={setAnswered}
        />
      ) : (
        <p className="detail">{t("Waiting until the call above is answered.")}</p>
      )}
    </section>
  );
}

/** A command line, or code that is none. */
function CodeToRun({ text, presentation }: { text: string } & Pick<CallProps, "presentation">) {
  return (
    <pre className={presentation?.row === "command" ? "command" : "command cell"}>
      <code>
        <FoldedText text={text} />
      </code>
    </pre>
  );
}

/** What is to happen to several files, such as a rename. Without actions of its own, the subject of a call is the files' names. */
function changeOfFiles({ row, presentation }: CallProps): ReactNode {
  return row.approval?.files && presentation?.titles ? (
    <CallSubject row={row} presentation={presentation} />
  ) : null;
}

function Dangers({ row: { approval } }: Pick<CallProps, "row">) {
  const { t } = usePanel();
  return approval?.dangers ? (
    <p className="danger" data-testid="dangers">
      <Icon name="warning" />
      {dangersText(t, approval)}
    </p>
  ) : null;
}

/** The task that asks, if it is not that of the conversation. */
function AskedBy({ row }: Pick<CallProps, "row">) {
  const { t } = usePanel();
  const task = row.approval?.task ?? row.task;
  return task ? (
    <p className="asked-by">
      <Visible text={askedByText(t, task)} />
    </p>
  ) : null;
}

interface AnswerProps extends CallProps {
  prepared: PreparedAnswerState;
  answered: boolean;
  onAnswered(answered: boolean): void;
}

function Answer({ row, presentation, prepared, answered, onAnswered }: AnswerProps) {
  const { t, actions, composer, store } = usePanel();
  const { comment, left: excluded } = prepared.answer;
  const [commenting, setCommenting] = useState(false);
  /** The answer for which the comment field was opened; undefined: the user entered the field without choosing an answer. */
  const openedFor = useRef<"approve" | "reject">(undefined);
  const box = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const { approval } = row;
  const none = excludesEverything(approval, prepared.answer);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new IntersectionObserver(
      (entries) => store.sighted(entries.at(-1)?.isIntersecting ? row.id : null),
      { root: element.closest(".transcript-rows"), threshold: 0.5 },
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      store.sighted(null);
    };
  }, [row.id, store]);

  const answer = async (verdict: "approve" | "reject", allow?: AllowScope) => {
    if (answered) return;
    onAnswered(true);
    // The pressed button is about to disappear. If the focus is in the card, it moves to the composer.
    if (box.current?.closest(".ask")?.contains(document.activeElement)) composer.focus();
    const accepted = await actions.answer(verdict, row.id, comment, {
      allow,
      ...(approval?.hunks || approval?.files ? { left: [...excluded] } : {}),
    });
    // The host did not accept the answer: if the call still waits, the buttons stay.
    if (!accepted) onAnswered(false);
  };
  const openComment = (verdict: "approve" | "reject") => {
    openedFor.current = verdict;
    setCommenting(true);
    field.current?.focus();
  };
  const button = (testId: string) => box.current?.querySelector<HTMLElement>(`[data-testid=${testId}]`);
  const onCommentKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { key, shiftKey, nativeEvent, keyCode } = event;
    if (nativeEvent.isComposing || keyCode === 229) return;
    if (key === "Escape") {
      // The first Escape leaves the field. Only further ones stop the agent.
      event.preventDefault();
      event.stopPropagation();
      setCommenting(comment !== "");
      button(openedFor.current === "approve" ? "approve-more" : "reject-with-comment")?.focus();
    } else if (key === "Enter" && !shiftKey && openedFor.current !== undefined) {
      event.preventDefault();
      // A rejection is sent immediately. An answer that changes something requires a further key press: its button gets the
      // focus.
      if (openedFor.current === "reject") void answer("reject");
      else button("approve")?.focus();
    }
  };
  const verb = approveText(t, presentation, approval);
  const allow = (scope: AllowScope, label: string): MenuAction => ({
    id: `allow-${scope}`,
    label,
    run: () => void answer("approve", scope),
  });
  const scopes: MenuAction[] =
    approval?.always === undefined
      ? approval?.offersEdits
        ? [allow("session", t("{0} and allow edits in this session", verb))]
        : []
      : [
          allow("session", t("Allow in this session")),
          allow("workspace", t("Allow in this workspace")),
          allow("always", t("Always allow")),
        ];
  const comments: MenuAction = {
    id: "comment",
    label: t("{0} with a comment…", verb),
    run: () => openComment("approve"),
  };
  return (
    <div ref={box} className="ask-answer">
      <Why callId={row.id} dangers={approval?.dangers} />
      <PlainArea
        ref={field}
        className={commenting || comment !== "" ? "ask-comment" : "ask-comment quiet"}
        testId="approve-with-comment"
        rows={1}
        value={comment}
        disabled={answered}
        placeholder={t("Tell the agent why, or what to do instead")}
        aria-label={t("Comment for the agent, sent with your decision")}
        onFocus={() => setCommenting(true)}
        onBlur={() => {
          openedFor.current = undefined;
          setCommenting(comment !== "");
        }}
        onChange={(event) => prepared.prepare({ comment: event.target.value })}
        onKeyDown={onCommentKey}
      />
      <div className="buttons">
        <span className="split">
          <Button
            kind={approval?.dangers ? "secondary" : "primary"}
            testId="approve"
            disabled={answered || none}
            hint={t("{0} (default shortcut: {1})", verb, defaultChord("Y"))}
            onPress={() => void answer("approve")}
          >
            {verb}
          </Button>
          <ActionMenu
            label={t("More options")}
            testId="approve-more"
            icon="expand"
            disabled={answered || none}
            head={
              approval?.always === undefined ? undefined : (
                <code>
                  <Visible text={approval.always} />
                </code>
              )
            }
            actions={[...scopes, comments]}
          />
        </span>
        <Button
          testId="reject"
          disabled={answered}
          hint={t("{0} (default shortcut: {1})", t("Reject"), defaultChord("X"))}
          onPress={() => void answer("reject")}
        >
          {t("Reject")}
        </Button>
        <button
          type="button"
          className="link"
          data-testid="reject-with-comment"
          aria-expanded={commenting}
          disabled={answered}
          onClick={() => openComment("reject")}
        >
          {t("Reject with comment…")}
        </button>
      </div>
    </div>
  );
}

const WhyFacts = onDemand(() => import("./why-facts.tsx"));

/**
 * A line under the question that expands to the reason for it. Small, because it loads with the panel; the rest loads
 * on expansion.
 */
function Why(props: { callId: string; dangers: readonly Danger[] | undefined }) {
  const { t } = usePanel();
  const [open, setOpen] = useState(false);
  return (
    <details className="ask-why" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary data-testid="approve-why">{t("Why?")}</summary>
      <div className="why-body" aria-live="polite">
        {open ? <WhyFacts {...props} /> : null}
      </div>
    </details>
  );
}
