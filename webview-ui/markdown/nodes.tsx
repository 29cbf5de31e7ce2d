/** Converts Markdown tokens to React elements. Never creates an HTML string or loads an image. */
import { Fragment, type ReactNode } from "react";
import { CodeText } from "./code-block.tsx";
import { Link } from "./link.tsx";
import type { Token } from "./parser.ts";

/** Tags that become elements of the same tag; any other tag is dropped and its content shown. */
const PLAIN_TAGS = [
  "p",
  "ul",
  "blockquote",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "em",
  "strong",
  "s",
] as const;
const TABLE_TAGS = ["thead", "tbody", "tr"] as const;
type PlainTag = (typeof PLAIN_TAGS)[number] | (typeof TABLE_TAGS)[number];

function plainTag(tag: string): PlainTag | undefined {
  return PLAIN_TAGS.find((known) => known === tag) ?? TABLE_TAGS.find((known) => known === tag);
}

/** Reads tokens up to the one that closes the level begun at `from`; returns its elements and the end position. */
function readLevel(tokens: readonly Token[], from: number): { nodes: ReactNode[]; end: number } {
  const nodes: ReactNode[] = [];
  let i = from;
  while (i < tokens.length) {
    const token = tokens[i];
    if (!token || token.nesting === -1) break;
    if (token.nesting === 1) {
      const inside = readLevel(tokens, i + 1);
      nodes.push(<Fragment key={i}>{wrap(token, inside.nodes)}</Fragment>);
      i = inside.end + 1;
    } else {
      nodes.push(<Fragment key={i}>{leaf(token)}</Fragment>);
      i++;
    }
  }
  return { nodes, end: i };
}

function wrap(token: Token, children: ReactNode[]): ReactNode {
  if (token.type === "link_open") return <Link href={String(token.attrGet("href") ?? "")}>{children}</Link>;
  if (token.type === "paragraph_open" && token.hidden) return children;
  switch (token.tag) {
    case "ol":
      return <ol start={Number(token.attrGet("start") ?? 1)}>{children}</ol>;
    case "li":
      return <li>{children}</li>;
    case "table":
      return (
        <div className="md-table">
          <table>{children}</table>
        </div>
      );
    case "th":
      return <th scope="col">{children}</th>;
    case "td":
      return <td>{children}</td>;
  }
  const Tag = plainTag(token.tag);
  return Tag ? <Tag>{children}</Tag> : children;
}

function leaf(token: Token): ReactNode {
  switch (token.type) {
    case "inline":
      return renderTokens(token.children ?? []);
    case "text":
      return token.content;
    case "softbreak":
      return "\n";
    case "hardbreak":
      return <br />;
    case "code_inline":
      return <code>{token.content}</code>;
    case "hr":
      return <hr />;
    case "fence":
    case "code_block":
      return <CodeText info={token.info} code={token.content} complete />;
    case "image":
      return <ImageText alt={token.content} address={String(token.attrGet("src") ?? "")} />;
    default:
      return token.content;
  }
}

/** Loading an image from a model's text would send a request, so its alternative text and address are shown instead. */
function ImageText({ alt, address }: { alt: string; address: string }) {
  return (
    <span className="md-image">
      {alt} <span className="detail">({address})</span>
    </span>
  );
}

export function renderTokens(tokens: readonly Token[]): ReactNode[] {
  const nodes: ReactNode[] = [];
  let from = 0;
  // The parser never emits a closing token without an opening one; skipping one keeps the rest anyway.
  while (from < tokens.length) {
    const level = readLevel(tokens, from);
    nodes.push(<Fragment key={from}>{level.nodes}</Fragment>);
    from = level.end + 1;
  }
  return nodes;
}
