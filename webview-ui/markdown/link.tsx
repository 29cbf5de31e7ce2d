import type { ReactNode } from "react";
import { usePanel } from "../panel.ts";
import { useExists } from "../text/missing-files.ts";
import { TextLink } from "../toolkit/text-link.tsx";
import { type LinkTarget, parseLink } from "./links.ts";

/**
 * A link that never navigates: it asks the host to open its target. A link with a disallowed target is rendered as
 * text.
 */
export function Link({ href, children }: { href: string; children: ReactNode }) {
  const target = parseLink(href);
  const text = (
    <>
      {children} <span className="detail">({href})</span>
    </>
  );
  return target ? (
    <AnswerLink target={target} text={text}>
      {children}
    </AnswerLink>
  ) : (
    text
  );
}

interface AnswerLinkProps {
  target: LinkTarget;
  /** Shown instead of a link to a file that does not exist. */
  text: ReactNode;
  children: ReactNode;
}

/** A link to what a model names, which may not exist. */
export function AnswerLink({ target, text, children }: AnswerLinkProps) {
  if (target.kind !== "file") return <LinkTo target={target}>{children}</LinkTo>;
  return (
    <FileLink target={target} path={target.path} text={text}>
      {children}
    </FileLink>
  );
}

function FileLink({ target, path, text, children }: AnswerLinkProps & { path: string }) {
  return useExists(path) ? <LinkTo target={target}>{children}</LinkTo> : text;
}

export function LinkTo({ target, children }: { target: LinkTarget; children: ReactNode }) {
  const { actions } = usePanel();
  const follow = () => {
    if (target.kind === "web") actions.run("host/open-link", { url: target.url });
    else if (target.kind === "symbol") actions.run("answer/symbol", { name: target.name });
    else {
      const { path, line } = target;
      actions.run("host/open-file", line === undefined ? { path } : { path, line });
    }
  };
  return (
    <TextLink title={titleOf(target)} follow={follow}>
      {children}
    </TextLink>
  );
}

function titleOf(target: LinkTarget): string {
  if (target.kind === "web") return target.url;
  return target.kind === "symbol" ? target.name : target.path;
}
