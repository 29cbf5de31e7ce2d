import { useEffect, useState } from "react";
import type { NoticeCode } from "../../src/shared/event.ts";
import type { Result } from "../../src/shared/protocol.ts";
import type { Row } from "../../src/shared/view/reducer.ts";
import { LIMIT_NOTICES } from "../../src/shared/view/turn-end.ts";
import { noticeText } from "../../src/shared/words/notice-words.ts";
import { phraseText } from "../../src/shared/words/task-words.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { onDemand } from "../on-demand.tsx";
import { usePanel, useView } from "../panel.ts";
import { Visible } from "../text/visible.tsx";
import { Button } from "../toolkit/button.tsx";
import { Disclosure } from "./disclosure.tsx";
import { isOpenEnd } from "./open-end.ts";

const OutputBox = onDemand(() => import("../output/output-box.tsx"));

/** Notices after which the task waits until the user continues it. */
const PAUSES: ReadonlySet<NoticeCode> = new Set(["stopped", "interrupted", ...LIMIT_NOTICES, "reply-cut"]);

/** Notices about content that requests omit from here on. */
const LEAVES_OUT: ReadonlySet<NoticeCode> = new Set(["context-shortened", "context-pruned", "condensed"]);

/** Notices about a server that failed. What it printed, such as a stack trace, is in its log. */
const OF_SERVERS: ReadonlySet<NoticeCode> = new Set(["server-ended", "server-gave-up"]);

export function NoticeRow({ row }: { row: Extract<Row, { kind: "notice" }> }) {
  const { t, actions, store } = usePanel();
  const open = useView((view) => isOpenEnd(view, row.id)) && PAUSES.has(row.code);
  /** The server whose log the user can open. */
  const log = OF_SERVERS.has(row.code) ? row.values?.[0] : undefined;
  return (
    <div className="notice">
      <p>
        {noticeText(t, row.code, log === undefined ? row.values : row.values?.slice(0, 3))}
        {log === undefined ? null : (
          <>
            {" "}
            <button
              type="button"
              className="link"
              data-testid="show-log"
              onClick={() => actions.run("servers/act", { name: log, action: "log" })}
            >
              {t("Show log")}
            </button>
          </>
        )}
      </p>
      {row.code === "hook" && row.values?.[4] ? (
        <Disclosure id={row.id} summary={t("Show output")}>
          <OutputBox id={row.id} raw={row.values[4]} />
        </Disclosure>
      ) : null}
      {row.code === "hooks-waiting" ? (
        <Button testId="show-hooks" onPress={() => store.show("hooks")}>
          {t("Show hooks")}
        </Button>
      ) : null}
      {row.detail === undefined ? null : (
        <Disclosure id={row.id} summary={t("Show summary")}>
          <Markdown text={row.detail} />
        </Disclosure>
      )}
      {LEAVES_OUT.has(row.code) && row.values?.[0] !== "0" ? (
        <Disclosure id={`${row.id} left out`} summary={t("Show omitted content")}>
          <LeftOut notice={row.id} />
        </Disclosure>
      ) : null}
      {open ? (
        <Button testId="retry" onPress={() => actions.run("chat/retry", {})}>
          {t("Continue")}
        </Button>
      ) : null}
    </div>
  );
}

/**
 * The parts of the conversation that the model no longer receives; each can be opened in full. Requested when the user
 * opens the list.
 */
function LeftOut({ notice }: { notice: string }) {
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
