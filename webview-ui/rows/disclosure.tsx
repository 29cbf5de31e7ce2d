import type { ReactNode } from "react";
import { Icon } from "../toolkit/icon.tsx";
import { useFold } from "./folds.ts";

interface Props {
  id: string;
  summary: ReactNode;
  /** Before the summary; the chevron then appears with the pointer or the focus. */
  icon?: ReactNode;
  open?: boolean;
  children: ReactNode;
}

/** A summary line that expands its content. A collapsed fold has no content on the page. */
export function Disclosure(props: Props) {
  const [open, setOpen] = useFold(props.id, props.open ?? false);
  return (
    <details className="fold" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={props.icon === undefined ? undefined : "opens"}>
        {props.icon}
        <span>{props.summary}</span>
        <Icon name="chevron" />
      </summary>
      {open ? <div className="fold-body">{props.children}</div> : null}
    </details>
  );
}
