/** The pending approval, above the composer so that it is visible wherever the user reads. */
import { lazy, Suspense, useRef, useState } from "react";
import { faceOf } from "../../src/shared/tool-face.ts";
import type { CallRow } from "../../src/shared/view/reducer.ts";
import { approvalQuestion, callSubject, callTitle } from "../../src/shared/words/task-words.ts";
import { usePanel, useView } from "../panel.ts";
import { ChangedFiles } from "../rows/calls/changed-files.tsx";
import { Changes } from "../rows/calls/changes.tsx";
import { Target } from "../rows/calls/fact.tsx";
import { pendingCall } from "../rows/open-end.ts";
import { Visible } from "../text/visible.tsx";
import { Button } from "../toolkit/button.tsx";
import { Why } from "./why.tsx";

const ServerCall = lazy(() => import("./server-call.tsx"));

export function ApprovalBar() {
  const pending = useView(pendingCall);
  // Each call gets a new bar, so that no comment or press carries over from the previous one.
  return pending ? <Ask key={pending.id} row={pending} /> : null;
}

function Ask({ row }: { row: CallRow }) {
  const { t, actions, composer } = usePanel();
  const [comment, setComment] = useState("");
  const [always, setAlways] = useState(false);
  const [answered, setAnswered] = useState(false);
  const bar = useRef<HTMLElement>(null);
  const approve = useRef<HTMLDivElement>(null);
  const { approval } = row;
  const face = useView((view) => faceOf(view.faces, row.tool));
  const question = approvalQuestion(t, approval?.access ?? "talk", approval?.created ?? false, face);
  const subject = approval?.command ?? approval?.path ?? callSubject(face, row.subject);
  const several = approval?.files ?? [];

  const answer = async (verdict: "approve" | "reject") => {
    if (answered) return;
    setAnswered(true);
    // The pressed button is about to disappear. If the focus is in the bar, it moves to the composer.
    if (bar.current?.contains(document.activeElement)) composer.focus();
    const accepted = await actions.answer(verdict, row.id, comment, always && verdict === "approve");
    // The host did not accept the answer: if the call still waits, the buttons stay.
    if (!accepted) setAnswered(false);
  };

  return (
    <section ref={bar} className="ask" aria-label={question}>
      <p className="ask-question">
        <strong>{question}</strong> <Changes added={approval?.added} removed={approval?.removed} />
      </p>
      <div className="ask-subject">
        {approval?.server ? (
          <Suspense fallback={null}>
            <ServerCall id={`bar ${row.id}`} server={approval.server} />
          </Suspense>
        ) : several.length > 0 ? (
          <ChangedFiles files={several} />
        ) : (
          <>
            {approval?.command === undefined ? <span>{callTitle(t, face, row)} </span> : null}
            <code>
              <Visible text={subject} />
            </code>
          </>
        )}
        <Target approval={approval} subject={subject} />
      </div>
      <Why callId={row.id} />
      <textarea
        className="ask-comment"
        data-testid="approve-with-comment"
        rows={1}
        value={comment}
        disabled={answered}
        placeholder={t("Comment for the agent (optional)")}
        aria-label={t("Comment for the agent, sent with your decision")}
        onChange={(event) => setComment(event.target.value)}
        onKeyDown={(event) => {
          if (
            event.key !== "Enter" ||
            event.shiftKey ||
            event.nativeEvent.isComposing ||
            event.keyCode === 229
          )
            return;
          // Enter ends the comment; only a press of a button answers.
          event.preventDefault();
          approve.current?.querySelector<HTMLElement>("[data-testid=approve]")?.focus();
        }}
      />
      {approval?.always === undefined ? null : (
        <label className="ask-always">
          <input
            type="checkbox"
            data-testid="approve-always"
            checked={always}
            disabled={answered}
            onChange={(event) => setAlways(event.target.checked)}
          />
          <span>
            {approval.server ? t("Always allow this tool:") : t("Always allow commands that start with")}{" "}
            <code>
              <Visible text={approval.always} />
            </code>
          </span>
        </label>
      )}
      <div className="buttons" ref={approve}>
        <Button kind="primary" testId="approve" disabled={answered} onPress={() => void answer("approve")}>
          {t("Approve")}
        </Button>
        <Button testId="reject" disabled={answered} onPress={() => void answer("reject")}>
          {t("Reject")}
        </Button>
      </div>
    </section>
  );
}
