import { useLayoutEffect, useRef } from "react";
import { terminalText } from "../../src/shared/terminal-output.ts";
import { refusalText } from "../../src/shared/words/reasons/reasons.ts";
import { usePanel } from "../panel.ts";
import { Visible } from "../text/visible.tsx";
import { Button } from "../toolkit/button.tsx";
import { ApprovalFacts } from "./approval-facts.tsx";
import { CallHead, type CallProps, Comment } from "./call-head.tsx";
import { CallChanges } from "./checkpoint-row.tsx";

/** A command, whole, and the end of what it printed. */
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
      {row.state === "running" ? <GoOn callId={row.id} /> : null}
      {output === "" && told ? <p className="detail">{told}</p> : null}
      <CallChanges row={row} />
      <Comment row={row} />
    </div>
  );
}

/** The task goes on; the command does too, in the background. */
function GoOn({ callId }: { callId: string }) {
  const { t, actions } = usePanel();
  return (
    <div className="checkpoint">
      <Button testId="go-on" onPress={() => actions.run("chat/go-on", { callId })}>
        {t("Go on while it runs")}
      </Button>
    </div>
  );
}

/** Stays at the end while it grows, until the person scrolls in it. */
function Output({ text }: { text: string }) {
  const { t } = usePanel();
  const box = useRef<HTMLPreElement>(null);
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    if (box.current && atEnd.current && text !== "") box.current.scrollTop = box.current.scrollHeight;
  }, [text]);
  const onScroll = () => {
    const { current } = box;
    if (current) atEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < 8;
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <output> is a form's, and a <section> a landmark
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre ref={box} className="output" role="group" tabIndex={0} aria-label={t("Output")} onScroll={onScroll}>
      {text}
    </pre>
  );
}
