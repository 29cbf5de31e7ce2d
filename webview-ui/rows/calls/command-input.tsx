/** Below a running command: what it asks, a field for the answer, and buttons that open its terminal or continue without it. */
import { type ReactNode, useState } from "react";
import { terminalText } from "../../../src/shared/terminal-output.ts";
import { usePanel } from "../../panel.ts";
import { Visible } from "../../text/visible.tsx";
import { Button } from "../../toolkit/button.tsx";
import { PlainField } from "../../toolkit/plain-field.tsx";

/** Maximum characters of the question that are shown; the output above has the rest. */
const QUESTION_LENGTH = 120;

interface Props {
  callId: string;
  /** Of the command so far. */
  output: string;
  /** The command waits for what the user types. */
  waits: boolean;
  /** It waits for a secret, which only its terminal takes, where nothing stores or shows it. */
  hidden: boolean;
  /** The task can continue without waiting for the command. */
  canMove?: boolean;
  /** More buttons. */
  children?: ReactNode;
}

export default function CommandInput({ callId, output, waits, hidden, canMove = false, children }: Props) {
  const { t, actions } = usePanel();
  const [line, setLine] = useState("");
  /** The field stays after an answer, because programs ask several questions in a row. */
  const [hasAnswered, setHasAnswered] = useState(false);
  const question = waits ? lastLine(output) : "";
  const answer = () => {
    setHasAnswered(true);
    setLine("");
    actions.run("host/answer-command", { callId, line });
  };
  return (
    <div className="command-input">
      {waits ? (
        <div className="command-asks" role="status" data-testid="waits">
          {hidden ? t("Waiting for a secret. Type it in the terminal.") : t("Waiting for input")}
          {question === "" ? null : (
            <code>
              <Visible text={question} />
            </code>
          )}
        </div>
      ) : null}
      {(waits || hasAnswered) && !hidden ? (
        <form
          className="command-answer"
          onSubmit={(event) => {
            event.preventDefault();
            answer();
          }}
        >
          <PlainField
            value={line}
            change={setLine}
            testId="command-answer"
            placeholder={t("Type an answer")}
            aria-label={
              question === "" ? t("Answer for the command") : t("Answer for the command: {0}", question)
            }
          />
          <Button testId="send-answer" onPress={answer}>
            {t("Send")}
          </Button>
        </form>
      ) : null}
      <div className="checkpoint">
        <Button testId="show-terminal" onPress={() => actions.run("host/show-terminal", { callId })}>
          {t("Open terminal")}
        </Button>
        {canMove ? (
          <Button
            testId="move-to-background"
            onPress={() => actions.run("chat/move-to-background", { callId })}
          >
            {t("Continue in background")}
          </Button>
        ) : null}
        {children}
      </div>
    </div>
  );
}

/** The unfinished last line, which is what the command asks. */
function lastLine(output: string): string {
  const text = terminalText(output);
  const line = text.slice(text.lastIndexOf("\n") + 1).trim();
  return line.length > QUESTION_LENGTH ? `…${line.slice(-QUESTION_LENGTH)}` : line;
}
