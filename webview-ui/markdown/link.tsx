import type { KeyboardEvent, ReactNode } from "react";
import { usePanel } from "../panel.ts";
import { type LinkTarget, parseLink } from "./links.ts";

/**
 * A link that never navigates: it asks the host to open its target. A link with a disallowed target is rendered as
 * text.
 */
export function Link({ href, children }: { href: string; children: ReactNode }) {
  const target = parseLink(href);
  if (!target) {
    return (
      <>
        {children} <span className="detail">({href})</span>
      </>
    );
  }
  return <LinkTo target={target}>{children}</LinkTo>;
}

export function LinkTo({ target, children }: { target: LinkTarget; children: ReactNode }) {
  const { actions } = usePanel();
  const follow = () => {
    if (target.kind === "web") actions.run("host/open-link", { url: target.url });
    else {
      const { path, line } = target;
      actions.run("host/open-file", line === undefined ? { path } : { path, line });
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    follow();
  };
  return (
    // No href, because the page around the panel follows links itself; inline, so that long links wrap.
    // biome-ignore lint/a11y/useSemanticElements: an <a> with an address would navigate
    <span
      role="link"
      tabIndex={0}
      className="link"
      title={target.kind === "web" ? target.url : target.path}
      onClick={follow}
      onKeyDown={onKeyDown}
    >
      {children}
    </span>
  );
}
