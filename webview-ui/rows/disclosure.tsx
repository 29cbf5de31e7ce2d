import type { ReactNode } from "react";
import { useFold } from "./folds.ts";

/** A summary line that expands its content. A collapsed fold has no content on the page. */
export function Disclosure(props: { id: string; summary: ReactNode; open?: boolean; children: ReactNode }) {
  const [open, setOpen] = useFold(props.id, props.open ?? false);
  return (
    <details className="fold" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{props.summary}</summary>
      {open ? <div className="fold-body">{props.children}</div> : null}
    </details>
  );
}
