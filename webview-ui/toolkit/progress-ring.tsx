import "./elements.ts";

/** Says "busy" to the eye alone: the element's own label is an English alert, so the words stand beside it instead. */
export function ProgressRing() {
  return (
    <span className="ring" aria-hidden="true">
      <vscode-progress-ring />
    </span>
  );
}
