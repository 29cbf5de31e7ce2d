/** One server of the list: its state and, when unfolded, its details, actions, tools, resources and prompts. */
import { useId, useRef, useState } from "react";
import type { ListedServer } from "../../src/shared/server-list.ts";
import type { ServerAction } from "../../src/shared/server-protocol.ts";
import { reasonWords } from "../../src/shared/words/reasons/reasons.ts";
import { usePanel } from "../panel.ts";
import { factLine } from "../text/facts.ts";
import { offerText, STATE_ICONS, serverSourceText, serverStateText } from "../text/servers.ts";
import { Visible } from "../text/visible.tsx";
import { Icon } from "../toolkit/icon.tsx";
import { ProgressRing } from "../toolkit/progress-ring.tsx";
import { FileLink } from "./config-problems.tsx";
import { ServerActions } from "./server-actions.tsx";
import { ServerApproval } from "./server-approval.tsx";
import { ServerOfferList } from "./server-offer.tsx";

/** Why the server failed, as Nekode explains it, and the last output of the server itself. */
function FailureText({ failure: { reason, output } }: { failure: NonNullable<ListedServer["failure"]> }) {
  const { t } = usePanel();
  return (
    <div className="server-error" data-testid="server-error">
      <p>
        <Visible text={t("Reason: {0}", reasonWords(t, reason))} />
      </p>
      {output === undefined ? null : (
        <>
          <p className="detail">{t("The server's last output:")}</p>
          <pre className="output">
            <Visible text={output} />
          </pre>
        </>
      )}
    </div>
  );
}

interface Props {
  server: ListedServer;
  /** The user just added it: it is unfolded. */
  isNew: boolean;
  refresh(): Promise<void>;
  /** The entry was removed together with the element that had the focus. */
  removed(): void;
}

export function ServerItem({ server, isNew, refresh, removed }: Props) {
  const { t, actions } = usePanel();
  const { name, state, content, command, failure, info } = server;
  const [open, setOpen] = useState(isNew);
  const [busy, setBusy] = useState(false);
  const head = useRef<HTMLButtonElement>(null);
  const body = useId();
  const offer = offerText(t, server);

  const act = async (action: ServerAction) => {
    await actions.ask("servers/act", { name, action });
    await refresh();
    if (action === "forget") removed();
  };
  const approve = async (shown: string) => {
    setBusy(true);
    // The pressed button is about to disappear.
    head.current?.focus();
    setOpen(true);
    await actions.ask("servers/trust", { name, content: shown });
    await refresh();
    setBusy(false);
  };

  return (
    <li className="server-item" data-testid="server-item" data-state={state}>
      <h3>
        <button
          ref={head}
          type="button"
          className="server-head"
          aria-expanded={open}
          aria-controls={body}
          onClick={() => setOpen(!open)}
        >
          <span className={open ? "server-fold open" : "server-fold"}>
            <Icon name="chevron" />
          </span>
          <span className="server-name">
            <Visible text={name} />
          </span>
          <span className="server-state">
            {state === "starting" ? <ProgressRing /> : <Icon name={STATE_ICONS[state]} />}
            {serverStateText(t, server)}
          </span>
        </button>
      </h3>
      <p className="detail server-about">{factLine([serverSourceText(t, server), offer])}</p>
      {content === undefined ? null : (
        <ServerApproval server={server} content={content} busy={busy} approve={() => void approve(content)} />
      )}
      {failure === undefined ? null : <FailureText failure={failure} />}
      <div id={body} className="server-body" hidden={!open}>
        {open ? (
          <>
            {content === undefined ? (
              <code className="server-command">
                <Visible text={command} />
              </code>
            ) : null}
            <p className="detail">
              {info === undefined ? null : (
                <>
                  <Visible text={info} />
                  <br />
                </>
              )}
              <FileLink file={server.file} line={server.line} />
            </p>
            <ServerActions server={server} act={act} />
            <ServerOfferList server={server} refresh={refresh} />
          </>
        ) : null}
      </div>
    </li>
  );
}
