import { terminalText } from "../../../src/shared/terminal-output.ts";
import { refusalText } from "../../../src/shared/words/reasons/reasons.ts";
import { usePanel } from "../../panel.ts";
import { Visible } from "../../text/visible.tsx";
import { Button } from "../../toolkit/button.tsx";
import { CallChanges } from "../checkpoint-row.tsx";
import { ApprovalFacts } from "./approval-facts.tsx";
import { CallHead, type CallProps, Comment } from "./call-head.tsx";
import { Output } from "./output.tsx";

/** A command in full, and the end of its output. */
export function CommandRow({ row, face }: CallProps) {
  const { t } = usePanel();
  const told = refusalText(t, row.shown) ?? row.shown?.text;
  const output = terminalText(row.output ?? row.shown?.output ?? "").trimEnd();
  const command = row.approval?.command ?? row.subject;
  return (
    <div className="call">
      <CallHead row={row} face={face} />
      {command === "" ? null : (
        <pre className="command">
          <code>
            <Visible text={command} />
          </code>
        </pre>
      )}
      {row.approval ? <ApprovalFacts approval={row.approval} /> : null}
      {output === "" ? null : <Output text={output} />}
      {row.state === "running" ? <MoveToBackground callId={row.id} /> : null}
      {output === "" && told ? <p className="detail">{told}</p> : null}
      <CallChanges row={row} />
      <Comment row={row} />
    </div>
  );
}

/** Continues the task while the command runs in the background. */
function MoveToBackground({ callId }: { callId: string }) {
  const { t, actions } = usePanel();
  return (
    <div className="checkpoint">
      <Button testId="move-to-background" onPress={() => actions.run("chat/move-to-background", { callId })}>
        {t("Continue in background")}
      </Button>
    </div>
  );
}
