/** Converts Markdown tokens to React elements. Never creates an HTML string or sends a request for an image. */
import { Fragment, type ReactNode } from "react";
import { MathText } from "../math/math.tsx";
import { usePanel } from "../panel.ts";
import { DoneBox } from "../toolkit/done-box.tsx";
import { CodeText } from "./code-block.tsx";
import { Footnote, FootnoteRef } from "./footnotes.tsx";
import { AnswerLink, Link } from "./link.tsx";
import { codeTarget } from "./links.ts";
import { mathSource } from "./math-source.ts";
import type { Token } from "./parser.ts";
import { TextImage } from "./text-image.tsx";

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
  "kbd",
  "sub",
  "sup",
] as const;
const TABLE_TAGS = ["thead", "tbody", "tr"] as const;
type PlainTag = (typeof PLAIN_TAGS)[number] | (typeof TABLE_TAGS)[number];

function plainTag(tag: string): PlainTag | undefined {
  return PLAIN_TAGS.find((known) => known === tag) ?? TABLE_TAGS.find((known) => known === tag);
}

/** Reads tokens up to the one that closes the level begun at `from`; returns its elements and the end position. */
function readLevel(
  tokens: readonly Token[],
  from: number,
  inLink: boolean,
): { nodes: ReactNode[]; end: number } {
  const nodes: ReactNode[] = [];
  let i = from;
  while (i < tokens.length) {
    const token = tokens[i];
    if (!token || token.nesting === -1) break;
    if (token.nesting === 1) {
      const inside = readLevel(tokens, i + 1, inLink || token.type === "link_open");
      nodes.push(<Fragment key={i}>{wrap(token, inside.nodes)}</Fragment>);
      i = inside.end + 1;
    } else {
      nodes.push(<Fragment key={i}>{leaf(token, inLink)}</Fragment>);
      i++;
    }
  }
  return { nodes, end: i };
}

function wrap(token: Token, children: ReactNode[]): ReactNode {
  if (token.type === "link_open") return <Link href={String(token.attrGet("href") ?? "")}>{children}</Link>;
  if (token.type === "footnote_open") return <Footnote name={token.info}>{children}</Footnote>;
  if (token.type === "paragraph_open" && token.hidden) return children;
  switch (token.tag) {
    case "ol":
      return <ol start={Number(token.attrGet("start") ?? 1)}>{children}</ol>;
    case "li":
      return token.attrGet("class") === "task" ? <li className="task">{children}</li> : <li>{children}</li>;
    case "table":
      return (
        <div className="md-table">
          <table>{children}</table>
        </div>
      );
    case "th":
      return (
        <th scope="col" {...alignment(token)}>
          {children}
        </th>
      );
    case "td":
      return <td {...alignment(token)}>{children}</td>;
  }
  const Tag = plainTag(token.tag);
  return Tag ? <Tag>{children}</Tag> : children;
}

const ALIGNMENT = /text-align:(left|center|right)/;

function alignment(token: Token): { className?: string } {
  const side = ALIGNMENT.exec(String(token.attrGet("style") ?? ""))?.[1];
  return side === undefined || side === "left" ? {} : { className: `md-${side}` };
}

function leaf(token: Token, inLink: boolean): ReactNode {
  switch (token.type) {
    case "inline":
      return renderTokens(token.children ?? [], inLink);
    case "text":
      return token.content;
    case "softbreak":
      return "\n";
    case "hardbreak":
      return <br />;
    case "code_inline":
      return <InlineCode text={token.content} inLink={inLink} />;
    case "task_box":
      return <TaskBox done={token.info === "x"} />;
    case "footnote_ref":
      return <FootnoteRef name={token.info} />;
    case "hr":
      return <hr />;
    case "fence":
    case "code_block":
      return <CodeText info={token.info} code={token.content} complete={isClosed(token)} />;
    case "math_inline":
      return <MathToken token={token} />;
    case "math_block":
      // The block is still incomplete.
      if (token.info === "open") return <div className="md-raw">{mathSource(token)}</div>;
      return <MathToken token={token} />;
    case "image":
      return <TextImage alt={token.content} address={String(token.attrGet("src") ?? "")} />;
    default:
      return token.content;
  }
}

function MathToken({ token }: { token: Token }) {
  return <MathText tex={token.content} source={mathSource(token)} display={token.info === "display"} />;
}

/** Whether the fence of a code block inside a list or quote is closed; code by indentation always is. */
function isClosed({ type, map, content }: Token): boolean {
  if (type !== "fence" || !map) return true;
  const lines = content === "" ? 0 : content.split("\n").length - 1;
  return map[1] - map[0] >= lines + 2;
}

function TaskBox({ done }: { done: boolean }) {
  const { t } = usePanel();
  return <DoneBox done={done} name={done ? t("Done") : t("Not done")} />;
}

export function renderTokens(tokens: readonly Token[], inLink = false): ReactNode[] {
  const nodes: ReactNode[] = [];
  let from = 0;
  // The parser never emits a closing token without an opening one; skipping one keeps the rest anyway.
  while (from < tokens.length) {
    const level = readLevel(tokens, from, inLink);
    nodes.push(<Fragment key={from}>{level.nodes}</Fragment>);
    from = level.end + 1;
  }
  return nodes;
}

/** Inline code. Names of files and symbols are links. */
function InlineCode({ text, inLink }: { text: string; inLink: boolean }) {
  const target = inLink ? null : codeTarget(text);
  const code = <code>{text}</code>;
  if (!target) return code;
  return (
    <AnswerLink target={target} text={code}>
      {code}
    </AnswerLink>
  );
}
