/** What runs without asking, in a word. The menu loads when it first opens. */
import { lazy, Suspense, useEffect } from "react";
import { levelOf } from "../../src/shared/permission/levels.ts";
import { levelWord } from "../../src/shared/words/permission-words.ts";
import { usePanel } from "../panel.ts";
import { Icon } from "../toolkit/icon.tsx";
import { useAccess } from "./use-access.ts";
import { useOpener } from "./use-opener.ts";

const PermissionMenu = lazy(() => import("./permission-menu.tsx"));

export function PermissionButton() {
  const { t, permissionShown } = usePanel();
  const access = useAccess();
  const { open, button, show, close, props } = useOpener();
  useEffect(() => permissionShown.subscribe(show), [permissionShown, show]);
  const level = levelOf(access);
  const word = level === "custom" && access.commandAll ? t("All commands") : levelWord(t, level);
  return (
    <>
      <button
        type="button"
        className="foot-button permission-button"
        data-testid="permission-picker"
        data-level={level}
        data-open={access.commandAll}
        aria-haspopup="menu"
        title={t("Runs without asking: {0}", word)}
        {...props}
      >
        <Icon name="shield" />
        <span className="only-heard">{t("Permissions")}: </span>
        <span className="foot-word">{word}</span>
      </button>
      <Suspense fallback={null}>{open ? <PermissionMenu button={button} close={close} /> : null}</Suspense>
    </>
  );
}
