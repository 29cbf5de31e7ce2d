/** The permission levels and, when unfolded, a switch for each class, tool and server in this session. */
import { type ReactNode, useEffect, useState } from "react";
import type { ManagedItem, ManagedList } from "../../src/shared/managed-list.ts";
import { accessAtMost } from "../../src/shared/permission/access-limit.ts";
import {
  ACCESS_CLASSES,
  type AccessClass,
  type AccessSettings,
  accessClassSchema,
  LEVEL_ACCESS,
  LEVELS,
  type Level,
  levelOf,
  levelSchema,
} from "../../src/shared/permission/levels.ts";
import {
  approvalClass,
  type PermissionChange,
  serverKey,
} from "../../src/shared/permission/session-permission.ts";
import type { Result } from "../../src/shared/protocol.ts";
import { accessTitle, levelText, levelTitle } from "../../src/shared/words/permission-words.ts";
import { phraseText } from "../../src/shared/words/task-words.ts";
import * as z from "../../src/shared/zod.ts";
import { ManagedItems } from "../managed/managed-lines.tsx";
import { useManaged } from "../managed/use-managed.ts";
import { usePanel, useView } from "../panel.ts";
import { Icon } from "../toolkit/icon.tsx";
import { FootGroup, FootMark, FootMenu } from "./foot-menu.tsx";
import { useAccess } from "./use-opener.ts";
import type { PopoverProps } from "./use-popover.ts";

export default function PermissionMenu({ button, close }: PopoverProps) {
  const { t, actions } = usePanel();
  const access = useAccess();
  const [unfolded, setUnfolded] = useState(false);
  const managed = useManaged();
  const most = managedAccess(managed);
  const level = levelOf(access);
  const change = (params: PermissionChange) => actions.run("chat/permission", params);
  const choose = (next: Level) => {
    change({ classes: LEVEL_ACCESS[next], exceptions: null });
    close(true);
  };
  return (
    <FootMenu button={button} close={close} label={t("Permissions")} testId="permission-menu">
      <ManagedItems list={managed} codes={PERMISSION_ITEMS} />
      <FootGroup label={t("Allow without asking (this session)")}>
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
            aria-disabled={isAbove(each, managed)}
            onClick={() => isAbove(each, managed) || choose(each)}
          >
            {isAbove(each, managed) ? <Icon name="lock" /> : <FootMark on={each === level} />}
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
      {unfolded ? <Details access={access} most={most} change={change} /> : null}
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

const PERMISSION_ITEMS: readonly ManagedItem["code"][] = ["level", "asks", "sandbox"];

/** The classes that the administrator lets run without asking. */
function managedAccess(list: ManagedList | null): AccessSettings {
  const asks = list?.items.find(({ code }) => code === "asks")?.values ?? [];
  return accessAtMost(highestLevel(list), accessClasses.parse(asks));
}

const accessClasses = z.array(accessClassSchema);

function highestLevel(list: ManagedList | null): Level {
  const [level = "all"] = list?.items.find(({ code }) => code === "level")?.values ?? [];
  return levelSchema.parse(level);
}

function isAbove(level: Level, list: ManagedList | null): boolean {
  return LEVELS.indexOf(level) > LEVELS.indexOf(highestLevel(list));
}

interface DetailsProps {
  access: AccessSettings;
  /** What the administrator allows at most. */
  most: AccessSettings;
  change(params: PermissionChange): void;
}

function Details({ access, most, change }: DetailsProps) {
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
          <Check
            key={name}
            id={name}
            on={access[name]}
            locked={!most[name]}
            toggle={() => most[name] && toggle(name)}
          >
            {accessTitle(t, name)}
          </Check>
        ))}
      </FootGroup>
      <FootGroup label={t("Single tools")}>
        {known?.tools.map(({ name, access: kind, verb }) => {
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
              <span>
                {phraseText(t, verb)} <code className="detail">{name}</code>
              </span>
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
  /** The administrator does not let it be switched on. */
  locked?: boolean;
  toggle(): void;
  children: ReactNode;
}

function Check({ id, on, locked = false, toggle, children }: CheckProps) {
  return (
    <button
      type="button"
      role="menuitemcheckbox"
      aria-checked={on}
      aria-disabled={locked}
      tabIndex={-1}
      className="foot-item"
      data-testid="permission-class"
      data-class={id}
      onClick={toggle}
    >
      {locked ? <Icon name="lock" /> : <FootMark on={on} />}
      <span className="foot-item-text">{children}</span>
    </button>
  );
}
