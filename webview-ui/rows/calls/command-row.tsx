import { terminalText } from "../../../src/shared/terminal-output.ts";
import { refusalText } from "../../../src/shared/words/reasons/reasons.ts";
import { placeText, placeWord } from "../../../src/shared/words/sandbox-words.ts";
import { callTitle } from "../../../src/shared/words/task-words.ts";
import { onDemand } from "../../on-demand.tsx";
import { usePanel, useView } from "../../panel.ts";
import { Visible } from "../../text/visible.tsx";
import { Icon } from "../../toolkit/icon.tsx";
import { CallChanges } from "../checkpoint-row.tsx";
import { useFold } from "../folds.ts";
import { ApprovalFacts } from "./approval-facts.tsx";
import { backgroundOf, CallHead, type CallProps, CallStateText, Comment } from "./call-head.tsx";
import { Output } from "./output.tsx";

const OutputBox = onDemand(() => import("../../output/output-box.tsx"));
const BackgroundState = onDemand(() => import("../../background/background-state.tsx"));
const CommandInput = onDemand(() => import("./command-input.tsx"));
const CommandPlace = onDemand(() => import("./command-place.tsx"));
const BlockedMark = onDemand(() => import("./blocked-mark.tsx"));

/**
 * A command in full, and the end of its output. `folded`: the row is part of open work, where a finished command is one line
 * until the user opens it.
 */
export function CommandRow({ row, presentation, folded }: CallProps & { folded: boolean }) {
  const { t } = usePanel();
  const [open, setOpen] = useFold(`${row.id} command`, false);
  const resultText = refusalText(t, row.shown) ?? row.shown?.text;
  const raw = row.output ?? row.shown?.output ?? "";
  const output = terminalText(raw).trimEnd();
  const command = row.approval?.command ?? row.subject;
  const background = useView((view) => backgroundOf(view, row));
  const isLine = folded && command !== "" && isFinished(row);
  if (isLine && !open)
    return (
      <CommandLine
        row={row}
        presentation={presentation}
        command={command}
        open={false}
        press={() => setOpen(true)}
      />
    );
  return (
    <div className="call">
      {isLine ? (
        <CommandLine
          row={row}
          presentation={presentation}
          command={command}
          open={true}
          press={() => setOpen(false)}
        />
      ) : (
        <CallHead row={row} presentation={presentation} actions={<Place row={row} />} />
      )}
      {command === "" ? null : (
        <pre className="command">
          <code>
            <Visible text={command} />
          </code>
        </pre>
      )}
      {row.approval ? <ApprovalFacts approval={row.approval} /> : null}
      {output === "" ? null : row.state === "running" ? (
        <Output text={output} />
      ) : (
        <OutputBox
          id={row.id}
          raw={raw}
          fallback={<Output text={output.split("\n").slice(-10).join("\n")} />}
        />
      )}
      {row.state === "running" ? (
        <CommandInput
          callId={row.id}
          output={raw}
          waits={row.waits ?? false}
          hidden={row.hidden ?? false}
          canMove
        />
      ) : null}
      {row.shown?.background === undefined ? null : <BackgroundState command={background} output={raw} />}
      {row.shown?.sandbox?.block || row.shown?.sandbox?.made || row.shown?.tests ? (
        <CommandPlace row={row} command={command} />
      ) : null}
      {output === "" && resultText ? <p className="detail">{resultText}</p> : null}
      <CallChanges row={row} />
      <Comment row={row} />
    </div>
  );
}

/** Whether nothing more happens in the row. */
function isFinished({ state, shown, checkpoint }: CallProps["row"]): boolean {
  if (shown?.background !== undefined || checkpoint?.unfinished || checkpoint?.keeping) return false;
  return state === "done" || state === "failed";
}

interface CommandLineProps extends CallProps {
  command: string;
  open: boolean;
  press(): void;
}

/** The command in one line, as long as there is room. */
function CommandLine({ row, presentation, command, open, press }: CommandLineProps) {
  const { t } = usePanel();
  const block = row.shown?.sandbox?.block;
  return (
    <div className="call-head command-head" data-state={row.state}>
      <button type="button" className="command-line opens" aria-expanded={open} onClick={press}>
        <Icon name="terminal" />
        <span className="call-title">{callTitle(t, presentation, row)}</span>{" "}
        <code>
          <Visible text={command.split("\n", 1)[0] ?? ""} />
        </code>
        <Icon name="chevron" />
      </button>
      {block && !open ? <BlockedMark blocked={block} /> : null}
      <CallStateText row={row} />
      {open ? <Place row={row} /> : null}
    </div>
  );
}

/** In a word, where the command runs or ran; nothing if there is only one place. */
function Place({ row }: Pick<CallProps, "row">) {
  const { t } = usePanel();
  const word = placeWord(t, row);
  return word === undefined ? null : (
    <span className="call-state" data-testid="sandbox" title={placeText(t, row)}>
      {word}
    </span>
  );
}
