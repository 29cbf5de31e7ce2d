import { terminalText } from "../../../src/shared/terminal-output.ts";
import { visible } from "../../../src/shared/visible.ts";
import { callDetail } from "../../../src/shared/words/outcome-words.ts";
import { refusalText } from "../../../src/shared/words/reasons/reasons.ts";
import { onDemand } from "../../on-demand.tsx";
import { usePanel } from "../../panel.ts";
import { Visible } from "../../text/visible.tsx";
import { Button } from "../../toolkit/button.tsx";
import { CallChanges, isOneLine, LineActions } from "../checkpoint-row.tsx";
import { Disclosure } from "../disclosure.tsx";
import { ApprovalFacts } from "./approval-facts.tsx";
import { CallHead, type CallProps, CallSubject, Comment } from "./call-head.tsx";
import { Output } from "./output.tsx";

const ServerForm = onDemand(() => import("../../servers/server-form.tsx"));
const ChildRow = onDemand(() => import("./child-row.tsx"));
const HitsRow = onDemand(() => import("./hits.tsx"));
const MemoryRow = onDemand(() => import("./memory-row.tsx"));
const RowPictures = onDemand(() => import("../../pictures/row-pictures.tsx"));

/** Maximum characters that are shown in the row's own line instead of a fold. */
const SHORT_TEXT = 60;

/** The row of any tool without a row of its own: one line, with the details below it. */
export function ToolRow({ row, presentation }: CallProps) {
  const { t, actions } = usePanel();
  const detail = row.shown?.text === undefined ? row.text : callDetail(t, presentation, row.shown);
  const text = refusalText(t, row.shown) ?? detail;
  const output = visible(terminalText(row.shown?.output ?? row.output ?? "").trimEnd());
  // A malformed call concerns only the model: the user sees one line, which unfolds to the details.
  const isRefused = row.shown?.note === "refused";
  const isBad = row.state === "failed" && !isRefused;
  const brief = !isRefused && text.length <= SHORT_TEXT && !text.includes("\n");
  const previewed =
    presentation?.opens?.includes("diff") && (row.state === "streaming" || row.state === "approval");
  const hits = row.shown?.hits;
  const task = row.task ?? row.shown?.task;
  const isLine = isOneLine(row, presentation);
  const head = (
    <CallHead row={row} presentation={presentation} actions={isLine ? <LineActions row={row} /> : undefined}>
      <CallSubject row={row} presentation={presentation} />
      {brief && text !== "" ? (
        <>
          {" "}
          <span className="detail">
            <Visible text={text} />
          </span>
        </>
      ) : null}
      {isLine && row.checkpoint?.undone ? (
        <>
          {" "}
          <span className="detail">{t("Undone")}</span>
        </>
      ) : null}
    </CallHead>
  );
  return (
    <div className="call">
      {hits ? (
        <HitsRow row={row} presentation={presentation} hits={hits} count={text} fallback={head} />
      ) : (
        head
      )}
      {task ? <ChildRow row={row.id} task={task} /> : null}
      {row.approval ? <ApprovalFacts approval={row.approval} /> : null}
      {brief ? null : (
        <Disclosure id={row.id} summary={t("Details")} open={isBad}>
          <pre className="output">
            <Visible text={text} />
          </pre>
        </Disclosure>
      )}
      {output === "" ? null : row.state === "running" ? (
        <Output text={output} />
      ) : (
        <Disclosure id={`${row.id} output`} summary={t("Output")} open={isBad}>
          <Output text={output} />
        </Disclosure>
      )}
      {row.form ? <ServerForm key={row.form.id} form={row.form} /> : null}
      {row.shown?.memory ? <MemoryRow change={row.shown.memory} /> : null}
      {row.shown?.pictures ? <RowPictures row={row} /> : null}
      {previewed ? (
        <Button onPress={() => actions.run("host/show-diff", { callId: row.id })}>{t("Open diff")}</Button>
      ) : null}
      {isLine ? null : <CallChanges row={row} />}
      <Comment row={row} />
    </div>
  );
}
