/** A screen that covers the conversation. Escape and the back button return to the conversation. */
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { isClaimedKey } from "../keys/claimed-key.ts";
import { usePanel, usePanelState } from "../panel.ts";
import { Visible } from "../text/visible.tsx";
import { IconButton } from "../toolkit/button.tsx";
import { Icon } from "../toolkit/icon.tsx";

interface ScreenProps {
  title: string;
  /** The title's element, which receives the initial focus unless `first` does. */
  heading?: RefObject<HTMLHeadingElement | null>;
  first?: RefObject<HTMLElement | null>;
  /** Rendered beside the title. */
  aside?: ReactNode;
  children: ReactNode;
}

export function ScreenFrame({ title, heading: outer, first, aside, children }: ScreenProps) {
  const { t, store } = usePanel();
  const own = useRef<HTMLHeadingElement>(null);
  const heading = outer ?? own;
  useEffect(() => (first ?? heading).current?.focus(), [first, heading]);
  return (
    <section
      className="history"
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key === "Escape" && !isClaimedKey(event)) store.show("chat");
      }}
    >
      <div className="history-head">
        <IconButton label={t("Back to conversation")} onPress={() => store.show("chat")}>
          <Icon name="back" />
        </IconButton>
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {aside}
      </div>
      <Failure />
      {children}
    </section>
  );
}

/** A failed request. The conversation also shows it, but the screen covers that. */
function Failure() {
  const { t, store } = usePanel();
  const problem = usePanelState((state) => state.problem);
  if (problem === null) return null;
  return (
    <div className="problem" role="alert">
      <span>
        <Visible text={t("The action failed: {0}", problem)} />
      </span>
      <IconButton label={t("Dismiss")} onPress={() => store.report(null)}>
        <Icon name="close" />
      </IconButton>
    </div>
  );
}
