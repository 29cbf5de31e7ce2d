/** The buttons of a server that are useful in its state. */
import { useState } from "react";
import type { ListedServer, ServerState } from "../../src/shared/server-list.ts";
import type { ServerAction } from "../../src/shared/server-protocol.ts";
import { usePanel } from "../panel.ts";
import { Button } from "../toolkit/button.tsx";

interface Props {
  server: ListedServer;
  act(action: ServerAction): Promise<void>;
}

/** In the order in which they are shown. */
const IN_STATE: Readonly<Record<ServerState, readonly ServerAction[]>> = {
  off: ["enable"],
  managed: [],
  untrusted: [],
  stopped: ["start", "disable"],
  starting: ["stop"],
  running: ["start", "stop", "disable"],
  failed: ["start", "disable"],
  "sign-in": ["sign-in", "disable"],
};

export function ServerActions({ server, act }: Props) {
  const { t } = usePanel();
  const [asking, setAsking] = useState(false);
  const { name, state, source, signedIn } = server;
  const isOwn = source === "user";
  const usable = state !== "off" && state !== "managed" && state !== "untrusted";
  const offered: ServerAction[] = [
    ...IN_STATE[state].filter((action) => isOwn || (action !== "enable" && action !== "disable")),
    ...(signedIn ? (["sign-out"] as const) : []),
    "edit",
    ...(usable ? (["log"] as const) : []),
  ];
  const words: Readonly<Record<ServerAction, string>> = {
    start: state === "running" || state === "failed" ? t("Restart") : t("Start"),
    stop: t("Stop"),
    "sign-in": t("Sign in"),
    "sign-out": t("Sign out"),
    enable: t("Enable"),
    disable: t("Disable"),
    edit: t("Edit configuration"),
    log: t("Show log"),
    forget: isOwn ? t("Remove…") : t("Withdraw approval"),
  };
  const button = (action: ServerAction) => (
    <Button
      key={action}
      kind={action === "sign-in" ? "primary" : "secondary"}
      label={`${words[action]}: ${name}`}
      testId={`server-${action}`}
      onPress={() => void act(action)}
    >
      {words[action]}
    </Button>
  );
  return (
    <>
      <div className="buttons">
        {offered.map(button)}
        {isOwn ? (
          <Button
            testId="server-forget"
            label={`${words.forget}: ${name}`}
            disabled={asking}
            onPress={() => setAsking(true)}
          >
            {words.forget}
          </Button>
        ) : null}
        {!isOwn && usable ? button("forget") : null}
      </div>
      {asking ? <ConfirmRemoval server={server} act={act} close={() => setAsking(false)} /> : null}
    </>
  );
}

function ConfirmRemoval({ server: { name, file }, act, close }: Props & { close(): void }) {
  const { t } = usePanel();
  return (
    <div className="server-note" role="alert">
      <p>{t("Remove {0} from {1}? Its approvals, choices, sign-in and values are forgotten.", name, file)}</p>
      <div className="buttons">
        <Button kind="primary" testId="server-forget-yes" onPress={() => void act("forget")}>
          {t("Remove")}
        </Button>
        <Button onPress={close}>{t("Cancel")}</Button>
      </div>
    </div>
  );
}
