/** Which model answers, and how long it thinks, if that was chosen. The list loads when it first opens. */
import { useCallback, useEffect, useRef, useState } from "react";
import { nameParts } from "../../src/shared/models/connection.ts";
import { untilLoaded } from "../foot/use-opener.ts";
import { onDemand } from "../on-demand.tsx";
import { useModel, usePanel, usePanelState } from "../panel.ts";
import { Icon } from "../toolkit/icon.tsx";
import { effortText } from "./effort-text.ts";

const ModelPicker = onDemand(() => import("../models/model-picker.tsx"));

export function ModelButton() {
  const { t, store, composer, modelsShown, modelAsked } = usePanel();
  const [purpose, setPurpose] = useState<"choose" | "ask" | null>(null);
  const open = purpose !== null;
  const button = useRef<HTMLButtonElement>(null);
  const name = useModel();
  const effort = usePanelState(({ setup }) => setup?.effort ?? "default");
  const { connection, model } = nameParts(name);
  const show = useCallback(() => {
    // Without a connection there is nothing to choose from.
    if (name !== "" || store.state.setup?.connections.length !== 0) return setPurpose("choose");
    // The focus returns there when the screen closes.
    composer.focus();
    store.show("connections");
  }, [name, store, composer]);
  useEffect(() => modelsShown.subscribe(show), [modelsShown, show]);
  useEffect(() => modelAsked.subscribe(() => setPurpose("ask")), [modelAsked]);
  const close = useCallback(
    (back: "button" | "composer" | "nowhere") => {
      setPurpose(null);
      if (back === "button") button.current?.focus();
      else if (back === "composer") composer.focus();
    },
    [composer],
  );
  return (
    <>
      <button
        ref={button}
        type="button"
        className="model-button"
        data-testid="model-picker"
        aria-haspopup="dialog"
        aria-expanded={open}
        title={
          name === ""
            ? undefined
            : `${t("Model: {0}", name)}${effort === "default" ? "" : `\n${effortText(t, effort)}`}`
        }
        // The list closes when the focus leaves it. The same click must not open it again.
        onMouseDown={(event) => open && event.preventDefault()}
        onClick={() => (open ? close("button") : show())}
        {...untilLoaded(open, (toButton) => close(toButton ? "button" : "nowhere"))}
      >
        {name === "" ? null : (
          <span className="model-button-icon">
            <Icon name="sparkle" />
          </span>
        )}
        {name === "" ? null : <span className="only-heard">{t("Model")}: </span>}
        <span className="model-button-id">{name === "" ? t("Choose a model") : model}</span>
        {name === "" ? null : <span className="model-button-at">{connection}</span>}
        {name === "" || effort === "default" ? null : (
          <span className="model-button-at">{effortText(t, effort)}</span>
        )}
        <Icon name="chevron" />
      </button>
      {open ? <ModelPicker key={purpose} purpose={purpose} button={button} close={close} /> : null}
    </>
  );
}
