/** Why a connection cannot be used, with the field that is wrong, and the buttons that correct it. */
import type { ConnectionProblem } from "../../src/shared/models/connection-problem.ts";
import {
  connectionFieldText,
  connectionFixText,
  connectionProblemText,
} from "../../src/shared/words/connection-words.ts";
import { usePanel } from "../panel.ts";
import { Visible } from "../text/visible.tsx";
import { Button } from "../toolkit/button.tsx";

interface Props {
  problem: ConnectionProblem;
  /** The name of the connection, if it exists. */
  of?: string;
  fix(fix: NonNullable<ConnectionProblem["fix"]>): void;
  /** Other buttons, such as one that tries again. */
  children?: React.ReactNode;
}

export function ConnectionProblemNote({ problem, of, fix, children }: Props) {
  const { t } = usePanel();
  const { detail = "", fix: known } = problem;
  const field = connectionFieldText(t, problem.field);
  return (
    <div className="connection-problem" data-testid="connection-problem">
      <p className="bad">
        <strong>{of === undefined ? field : t("{0}, {1}", of, field)}</strong>
        {": "}
        <Visible text={connectionProblemText(t, problem)} />
      </p>
      {detail === "" ? null : (
        <p className="detail">
          <Visible text={detail.slice(0, 300)} />
        </p>
      )}
      <div className="buttons">
        {known ? (
          <Button kind="primary" testId="connection-fix" onPress={() => fix(known)}>
            {connectionFixText(t, known)}
          </Button>
        ) : null}
        {children}
      </div>
    </div>
  );
}
