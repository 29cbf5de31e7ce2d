/** A formula of a text, whose source is shown until the typesetter has loaded. */
import { lazy, memo, Suspense } from "react";
import type { FormulaProps } from "./formula.tsx";

const Formula = lazy(() => import("./formula.tsx"));

export const MathText = memo(function MathText(props: FormulaProps) {
  return (
    <Suspense fallback={<code className="math-source">{props.source}</code>}>
      <Formula {...props} />
    </Suspense>
  );
});
