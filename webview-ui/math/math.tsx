/** A formula of a text, whose source is shown until the typesetter has loaded. */
import { memo } from "react";
import { onDemand } from "../on-demand.tsx";
import type { FormulaProps } from "./formula.tsx";

const Formula = onDemand(() => import("./formula.tsx"));

export const MathText = memo(function MathText(props: FormulaProps) {
  return <Formula {...props} fallback={<code className="math-source">{props.source}</code>} />;
});
