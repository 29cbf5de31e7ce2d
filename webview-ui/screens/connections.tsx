/** The connections to models: their keys, whether they work, and new ones. */
import { useState } from "react";
import type { ListedConnection } from "../../src/shared/models/model-protocol.ts";
import { connectionWorksText } from "../../src/shared/words/connection-words.ts";
import { isClaimedKey } from "../keys/claimed-key.ts";
import { ManagedLines } from "../managed/managed-lines.tsx";
import { ConnectionProblemNote } from "../models/connection-problem.tsx";
import SetUp from "../models/set-up.tsx";
import { useCheck, useConnections } from "../models/use-check.ts";
import { usePanel } from "../panel.ts";
import { Visible } from "../text/visible.tsx";
import { Button } from "../toolkit/button.tsx";
import { PlainField } from "../toolkit/plain-field.tsx";
import { ScreenFrame } from "./screen.tsx";

export default function ConnectionsScreen() {
  const { t, store } = usePanel();
  const { known, reload } = useConnections();
  return (
    <ScreenFrame title={t("Connections to models")}>
      <div className="connections">
        <ManagedLines codes={["endpoints", "models"]} />
        <section aria-label={t("Add a connection")}>
          <h3>{t("Add a connection")}</h3>
          <SetUp done={() => store.show("chat")} />
        </section>
        {known && known.connections.length > 0 ? (
          <section aria-label={t("Your connections")}>
            <h3>{t("Your connections")}</h3>
            <ul>
              {known.connections.map((connection) => (
                <Item key={connection.name} connection={connection} reload={reload} />
              ))}
            </ul>
          </section>
        ) : null}
      </div>
    </ScreenFrame>
  );
}

function Item({ connection, reload }: { connection: ListedConnection; reload(): void }) {
  const { t, actions } = usePanel();
  const check = useCheck();
  const [removing, setRemoving] = useState(false);
  /** The address as the user changes it; undefined: they do not. */
  const [address, setNewAddress] = useState<string>();
  const { name, title, api, baseUrl, hasKey, isLocal, isRemovable } = connection;
  const isEditor = api === "editor";
  const remove = async () => {
    await actions.ask("connections/remove", { name });
    reload();
  };
  const setKey = async () => {
    await actions.askAway("connections/set-key", { name });
    reload();
  };
  const setAddress = async (entered: string) => {
    setNewAddress(undefined);
    await actions.ask("connections/set-address", { name, baseUrl: entered });
    reload();
    check.run(name);
  };
  return (
    <li className="connection" data-testid="connection">
      <p>
        <strong>{name}</strong>
        {title === undefined || title.toLowerCase() === name ? null : <span> · {title}</span>}
      </p>
      <p className="detail">
        {isEditor ? (
          t("The models that VS Code offers to extensions")
        ) : (
          <>
            <Visible text={baseUrl} />
            {" · "}
            {hasKey ? t("has a key") : isLocal ? t("on this computer") : t("no key")}
          </>
        )}
      </p>
      <div role="status">
        {check.state === "works" ? <p className="good">{connectionWorksText(t, name, check.count)}</p> : null}
        {check.state === "fails" ? (
          <ConnectionProblemNote
            problem={check.problem}
            fix={(fix) => fix.type === "address" && void setAddress(fix.baseUrl)}
          />
        ) : null}
      </div>
      {address === undefined ? null : (
        <form
          className="connection-edit"
          onSubmit={(event) => {
            event.preventDefault();
            void setAddress(address);
          }}
        >
          <PlainField
            testId="connection-address"
            aria-label={t("Address of {0}", name)}
            value={address}
            autoFocus
            change={setNewAddress}
            onKeyDown={(event) => {
              if (event.key !== "Escape" || isClaimedKey(event)) return;
              event.stopPropagation();
              setNewAddress(undefined);
            }}
          />
          <div className="buttons">
            <Button testId="connection-save" kind="primary" onPress={() => void setAddress(address)}>
              {t("Save")}
            </Button>
            <Button onPress={() => setNewAddress(undefined)}>{t("Cancel")}</Button>
          </div>
        </form>
      )}
      <div className="buttons">
        <Button
          testId="connection-check"
          disabled={check.state === "checking"}
          onPress={() => check.run(name)}
        >
          {check.state === "checking" ? t("Checking…") : t("Check")}
        </Button>
        {isEditor ? null : (
          <Button testId="connection-key" onPress={() => void setKey()}>
            {hasKey ? t("Change API key") : t("Set API key")}
          </Button>
        )}
        {isRemovable && address === undefined ? (
          <Button testId="connection-edit" onPress={() => setNewAddress(baseUrl)}>
            {t("Edit address")}
          </Button>
        ) : null}
        {isRemovable && !removing ? (
          <Button testId="connection-remove" onPress={() => setRemoving(true)}>
            {t("Remove")}
          </Button>
        ) : null}
        {removing ? (
          <>
            <Button kind="primary" testId="connection-remove-yes" onPress={() => void remove()}>
              {t("Remove with its key")}
            </Button>
            <Button onPress={() => setRemoving(false)}>{t("Cancel")}</Button>
          </>
        ) : null}
      </div>
    </li>
  );
}
