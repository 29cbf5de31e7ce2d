/**
 * A line under the question that expands to the reason for it. Small, because it loads with the panel; the rest loads
 * on expansion.
 */
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
