/**
 * The parts of the conversation that the model no longer receives; each can be opened in full. Requested when the user
 * opens the list.
 */
import { useEffect, useState } from "react";
import type { Result } from "../../src/shared/protocol.ts";
import { phraseText } from "../../src/shared/words/task-words.ts";
import { usePanel } from "../panel.ts";
import { Visible } from "../text/visible.tsx";

export function LeftOut({ notice }: { notice: string }) {
  const { t, actions } = usePanel();
  const [list, setList] = useState<Result<"chat/left-out">>();
  useEffect(() => void actions.ask("chat/left-out", { notice }).then(setList), [actions, notice]);
  if (!list) return <div aria-busy="true" />;
  return (
    <ul className="left-out">
      {list.parts.map(({ id, title, subject }) => (
        <li key={id}>
          <button
            type="button"
            className="link"
            data-testid="left-out-part"
            title={subject}
            onClick={() => actions.run("host/show-part", { id })}
          >
            {title === undefined ? "" : `${phraseText(t, title)} `}
            <Visible text={subject} />
          </button>
        </li>
      ))}
      {list.more > 0 ? <li>{t("and {0} more", list.more)}</li> : null}
    </ul>
  );
}
