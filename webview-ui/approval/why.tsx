/** A line under the question that opens to why it is asked. Small, for it is there from the start; the rest comes when it is opened. */
import { lazy, Suspense, useState } from "react";
import { usePanel } from "../panel.ts";

const WhyFacts = lazy(() => import("./why-facts.tsx"));

export function Why({ callId }: { callId: string }) {
  const { t } = usePanel();
  const [open, setOpen] = useState(false);
  return (
    <details className="ask-why" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary data-testid="approve-why">{t("Why?")}</summary>
      <div className="why-body" aria-live="polite">
        {open ? (
          <Suspense fallback={null}>
            <WhyFacts callId={callId} />
          </Suspense>
        ) : null}
      </div>
    </details>
  );
}
