/** The permission levels and, when unfolded, a switch for each class, tool and server in this session. */
import { type ReactNode, useEffect, useState } from "react";
import {
  ACCESS_CLASSES,
  type AccessClass,
  type AccessSettings,
  LEVEL_ACCESS,
  LEVELS,
  type Level,
  levelOf,
} from "../../src/shared/permission/levels.ts";
import {
  approvalClass,
  type PermissionChange,
  serverKey,
} from "../../src/shared/permission/session-permission.ts";
import type { Result } from "../../src/shared/protocol.ts";
import { accessTitle, levelText, levelTitle } from "../../src/shared/words/permission-words.ts";
import { usePanel, useView } from "../panel.ts";
import { Icon } from "../toolkit/icon.tsx";
import { FootGroup, FootMark, FootMenu } from "./foot-menu.tsx";
import { useAccess } from "./use-opener.ts";
import type { PopoverProps } from "./use-popover.ts";

export default function PermissionMenu({ button, close }: PopoverProps) {
  const { t, actions } = usePanel();
  const access = useAccess();
  const [unfolded, setUnfolded] = useState(false);
  const level = levelOf(access);
  const change = (params: PermissionChange) => actions.run("chat/permission", params);
  const choose = (next: Level) => {
    change({ classes: LEVEL_ACCESS[next], exceptions: null });
    close(true);
  };
  return (
    <FootMenu button={button} close={close} label={t("Permissions")} testId="permission-menu">
      <FootGroup label={t("Without asking, in this session")}>
        {LEVELS.map((each) => (
          <button
            key={each}
            type="button"
            role="menuitemradio"
            aria-checked={each === level}
            tabIndex={-1}
            className="foot-item"
            data-testid="permission-option"
            data-level={each}
            onClick={() => choose(each)}
          >
            <FootMark on={each === level} />
            <span className="foot-item-text">
              <span>{levelTitle(t, each)}</span>
              <span className="detail">{levelText(t, each)}</span>
            </span>
          </button>
        ))}
      </FootGroup>
      <button
        type="button"
        role="menuitem"
        aria-expanded={unfolded}
        tabIndex={-1}
        className="foot-item foot-line"
        data-testid="permission-details"
        onClick={() => setUnfolded(!unfolded)}
      >
        <Icon name="chevron" />
        {t("Choose one by one")}
      </button>
      {unfolded ? <Details access={access} change={change} /> : null}
      <button
        type="button"
        role="menuitem"
        tabIndex={-1}
        className="foot-item foot-line"
        onClick={() => {
          close(true);
          actions.run("host/settings", { query: "nekode.approval" });
        }}
      >
        <Icon name="settings" />
        {t("Settings for new sessions")}
      </button>
    </FootMenu>
  );
}

interface DetailsProps {
  access: AccessSettings;
  change(params: PermissionChange): void;
}

function Details({ access, change }: DetailsProps) {
  const { t, actions } = usePanel();
  const exceptions = useView((view) => view.permission.exceptions);
  const [known, setKnown] = useState<Result<"permission/items"> | null>(null);
  useEffect(() => {
    void actions.ask("permission/items", {}).then((answer) => answer && setKnown(answer));
  }, [actions]);
  const toggle = (name: AccessClass) => change({ classes: { [name]: !access[name] } });
  /** An exception that says the same as its class is removed. */
  const except = (key: string, general: boolean, on: boolean) =>
    change({ exceptions: { [key]: on === general ? null : on } });
  return (
    <>
      <FootGroup label={t("Kinds of access")}>
        {ACCESS_CLASSES.map((name) => (
          <Check key={name} id={name} on={access[name]} toggle={() => toggle(name)}>
            {accessTitle(t, name)}
          </Check>
        ))}
      </FootGroup>
      <FootGroup label={t("Single tools")}>
        {known?.tools.map(({ name, access: kind }) => {
          const general = access[approvalClass(kind)] || (kind === "command" && access.commandAll);
          const own = exceptions[name];
          const readsOnly = kind === "command" && !general && access.commandRead && access.read;
          const isMixed = readsOnly && own === undefined;
          const on = own ?? general;
          // From read-only commands to all, to none, and back.
          const toggle = () =>
            readsOnly && own !== false
              ? change({ exceptions: { [name]: isMixed } })
              : except(name, general, readsOnly ? general : !on);
          return (
            <Check key={name} id={name} on={isMixed ? "mixed" : on} toggle={toggle}>
              <code>{name}</code>
              {isMixed ? <span className="detail"> {t("read-only commands")}</span> : null}
            </Check>
          );
        })}
      </FootGroup>
      {known && known.servers.length > 0 ? (
        <FootGroup label={t("MCP servers")}>
          {known.servers.map((name) => {
            const key = serverKey(name);
            const on = exceptions[key] ?? access.mcp;
            return (
              <Check key={name} id={key} on={on} toggle={() => except(key, access.mcp, !on)}>
                {name}
              </Check>
            );
          })}
        </FootGroup>
      ) : null}
    </>
  );
}

interface CheckProps {
  id: string;
  on: boolean | "mixed";
  toggle(): void;
  children: ReactNode;
}

function Check({ id, on, toggle, children }: CheckProps) {
  return (
    <button
      type="button"
      role="menuitemcheckbox"
      aria-checked={on}
      tabIndex={-1}
      className="foot-item"
      data-testid="permission-class"
      data-class={id}
      onClick={toggle}
    >
      <FootMark on={on} />
      <span className="foot-item-text">{children}</span>
    </button>
  );
}
