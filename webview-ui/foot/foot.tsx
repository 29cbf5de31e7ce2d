/** The line under the input: the model, what runs without asking, and how full the context window is. */

import { useEffect } from "react";
import { levelOf } from "../../src/shared/permission/levels.ts";
import { levelWord } from "../../src/shared/words/permission-words.ts";
import { ModelButton } from "../composer/model-button.tsx";
import { onDemand } from "../on-demand.tsx";
import { usePanel } from "../panel.ts";
import { Icon } from "../toolkit/icon.tsx";
import { ContextRing } from "./context-ring.tsx";
import { useAccess, useOpener } from "./use-opener.ts";

export function Foot() {
  return (
    <>
      <ModelButton />
      <PermissionButton />
      <FootChoices />
      <ContextRing />
    </>
  );
}

const FootChoices = onDemand(() => import("./foot-choices.tsx"));
const PermissionMenu = onDemand(() => import("./permission-menu.tsx"));

/** What runs without asking, in a word. The menu loads when it first opens. */
function PermissionButton() {
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
      {open ? <PermissionMenu button={button} close={close} /> : null}
    </>
  );
}
