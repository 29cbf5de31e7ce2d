/** The configured MCP servers: what they may run, their state, and what they offer. */
import { useCallback, useEffect, useRef, useState } from "react";
import { type ServerList, serverListSchema } from "../../src/shared/server-list.ts";
import { ManagedLines } from "../managed/managed-lines.tsx";
import { usePanel } from "../panel.ts";
import { AddServer } from "../servers/add-server.tsx";
import { ConfigProblems } from "../servers/config-problems.tsx";
import { ServerItem } from "../servers/server-item.tsx";
import { serverStateText } from "../text/servers.ts";
import { Button } from "../toolkit/button.tsx";
import { ScreenFrame } from "./screen.tsx";

export default function ServersScreen() {
  const { t, actions } = usePanel();
  const { listed, refresh } = useServers();
  const [adding, setAdding] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const addButton = useRef<HTMLDivElement>(null);
  const [added, setAdded] = useState<readonly string[]>([]);
  /** Starts what the user added, so that they see its tools or what is wrong. */
  const start = async (names: readonly string[]) => {
    setAdded(names);
    await refresh();
    for (const name of names) void actions.ask("servers/act", { name, action: "start" }).then(refresh);
  };
  const endAdding = () => {
    setAdding(false);
    addButton.current?.querySelector<HTMLElement>("[data-testid=add-server]")?.focus();
  };
  return (
    <ScreenFrame title={t("MCP servers")} heading={heading}>
      <div className="servers" data-testid="servers-list" aria-busy={listed === null}>
        <ManagedLines codes={["servers"]} />
        <p className="detail">
          {t("MCP servers give the agent more tools. A server starts when a task first needs it.")}
        </p>
        {listed?.untrustedWorkspace ? (
          <p className="server-note">
            {t("The servers of this workspace are not used, because you have not trusted the workspace.")}
          </p>
        ) : null}
        <div className="buttons" ref={addButton}>
          <Button testId="add-server" onPress={() => setAdding(true)}>
            {t("Add server")}
          </Button>
          {listed ? (
            <Button onPress={() => actions.run("servers/open", { file: listed.userFile, line: 1 })}>
              {t("Open configuration file")}
            </Button>
          ) : null}
        </div>
        {adding && listed ? <AddServer userFile={listed.userFile} added={start} close={endAdding} /> : null}
        <ConfigProblems problems={listed?.problems ?? []} />
        {listed?.servers.length === 0 ? (
          <p className="detail">{t("No server is configured yet.")}</p>
        ) : (
          <ul className="server-items">
            {listed?.servers.map((server) => (
              <ServerItem
                key={server.name}
                server={server}
                isNew={added.includes(server.name)}
                refresh={refresh}
                removed={() => heading.current?.focus()}
              />
            ))}
          </ul>
        )}
        <StateAnnouncer listed={listed} />
      </div>
    </ScreenFrame>
  );
}

/** Requests the servers when the screen opens, and again when the host reports a change. */
function useServers(): { listed: ServerList | null; refresh(): Promise<void> } {
  const { actions, serversChanged } = usePanel();
  const [listed, setListed] = useState<ServerList | null>(null);
  const newest = useRef(0);
  const refresh = useCallback(async () => {
    const number = ++newest.current;
    const answer = await actions.ask("servers/list", {});
    if (answer && number === newest.current) setListed(serverListSchema.parse(answer));
  }, [actions]);
  useEffect(() => {
    void refresh();
    return serversChanged.subscribe(() => void refresh());
  }, [refresh, serversChanged]);
  return { listed, refresh };
}

/** Announces changed states to a screen reader. */
function StateAnnouncer({ listed }: { listed: ServerList | null }) {
  const { t } = usePanel();
  const before = useRef<ReadonlyMap<string, string> | null>(null);
  const [text, setText] = useState("");
  useEffect(() => {
    if (!listed) return;
    const states = new Map(listed.servers.map((server) => [server.name, serverStateText(t, server)]));
    const changed = [...states].filter(
      ([name, state]) => before.current && before.current.get(name) !== state,
    );
    before.current = states;
    if (changed.length > 0) setText(changed.map(([name, state]) => `${name}: ${state}`).join(". "));
  }, [listed, t]);
  return (
    <div className="only-heard" role="status">
      {text}
    </div>
  );
}
