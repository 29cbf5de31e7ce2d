/**
 * A line above the composer that names the call waiting for the user while its row is out of view. Selecting it shows the
 * row.
 */
import { presentationOf } from "../../src/shared/tool-presentation.ts";
import { withAskedPaths } from "../../src/shared/view/approval-paths.ts";
import { pendingCall } from "../../src/shared/view/chat-view.ts";
import { approveText } from "../../src/shared/words/approval-words.ts";
import { callSubject } from "../../src/shared/words/task-words.ts";
import { usePanel, usePanelState, useView } from "../panel.ts";
import { Visible } from "../text/visible.tsx";
import { Icon } from "../toolkit/icon.tsx";

export default function ApprovalLine() {
  const { t, store } = usePanel();
  const pending = useView(pendingCall);
  const presentation = useView((view) => pending && presentationOf(view.faces, pending.tool));
  const session = useView((view) => view.session?.id ?? "");
  const isInSight = usePanelState((state) => state.sighted !== null && state.sighted === pending?.id);
  if (!pending || isInSight) return null;
  const approval = pending.approval && withAskedPaths(pending.approval);
  const subject = approval?.command ?? approval?.path ?? callSubject(presentation, pending.subject);
  const show = () => {
    const row = document.querySelector<HTMLElement>(`[data-row="${CSS.escape(pending.id)}"]`);
    const answer = row?.querySelector<HTMLElement>(".ask-answer");
    if (!answer) {
      store.jump({ session, row: pending.id, offset: 0 });
      return;
    }
    answer.scrollIntoView({ block: "nearest" });
    // This line disappears while it has the focus. The focus moves to the row and not to its button, so that a second Enter
    // does not approve anything.
    row?.setAttribute("tabindex", "-1");
    row?.focus({ preventScroll: true });
  };
  return (
    <button type="button" className="waits" data-testid="approval-line" onClick={show}>
      <Icon name="question" />
      <span className="waits-text">
        {t("Waiting for your approval: {0}", approveText(t, presentation, approval))}{" "}
        <code>
          <Visible text={subject.replace(/\s+/g, " ")} />
        </code>
      </span>
      <Icon name="down" />
    </button>
  );
}
