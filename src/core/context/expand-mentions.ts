/** Replaces each mention in a message by a name, and adds its content after the text. */
import { findMentions, type Mention } from "../../shared/mentions.ts";
import type { Fault } from "../../shared/reason.ts";
import { faultOf, Interrupt, messageOf, throwIfAborted } from "../errors.ts";
import { elementContent } from "../fence.ts";
import { LOSS_MARK, sliceWhole } from "../text.ts";
import {
  EACH_LIMIT,
  type MentionContent,
  type MentionOptions,
  type MentionPart,
  NotIncluded,
  type NotIncludedReason,
} from "./mention-content.ts";
import { isMissingParts, mentionPath, missingParts } from "./mention-files.ts";
import { mentionKinds } from "./mention-kinds.ts";
import { type SuppliedImage, splitResource } from "./server-resources.ts";
import { estimateTokens } from "./tokens.ts";

/** A mention that is not included in full. `failed`: not at all; `lossy`: the editor itself lost some of it. */
export interface MentionProblem {
  kind: "failed" | "cut" | "lossy";
  /** The mention as written. */
  mention: string;
  /** For `failed`, a code and its value; otherwise empty. */
  why: NotIncludedReason | [];
}

export interface ExpandedText {
  text: string;
  attachments: string[];
  images: SuppliedImage[];
  problems: MentionProblem[];
}

/**
 * Returns the text with each mention replaced by its name and a pointer to the content, and the contents to append. A
 * content that is not available is replaced by the reason. Rejects only with Interrupt.
 */
export async function expandMentions(text: string, options: MentionOptions): Promise<ExpandedText> {
  const expandable = findMentions(text).filter((mention) => isExpanded(mention, options));
  const mentions = await Promise.all(expandable.map((mention) => asOnDisk(mention, options)));
  const pieces: string[] = [];
  const unique = new Map<string, Mention>();
  let from = 0;
  for (const mention of mentions) {
    pieces.push(text.slice(from, mention.start), mentionKinds[mention.kind].name(mention.value));
    from = mention.end;
    unique.set(`${mention.kind} ${mention.value}`, mention);
  }
  pieces.push(text.slice(from));
  throwIfAborted(options.signal);
  const contents = await Promise.all([...unique.values()].map((mention) => contentOf(mention, options)));
  const bodies = fitted(contents, options.maxTokens);
  const attachments = bodies.map(([content, body]) => {
    if (body === content.body) content.whole?.();
    return `<${content.open}>\n${elementContent(body, content.tag)}\n</${content.tag}>`;
  });
  const written = [...unique.values()].map(({ start, end }) => text.slice(start, end));
  const problems = bodies.flatMap(([content, body], index) => problemOf(content, body, written[index] ?? ""));
  const images = contents.flatMap((content) => content.images ?? []);
  return { text: pieces.join(""), attachments, images, problems };
}

/** Kinds that name a path, which only the disk can tell apart for certain. */
const PATH_KINDS: ReadonlySet<Mention["kind"]> = new Set(["file", "folder", "lines", "symbol"]);

function isExpanded({ kind, value }: Mention, { filesOnly, resources }: MentionOptions): boolean {
  if (filesOnly) return PATH_KINDS.has(kind);
  // With any other name before the colon, it is text that only looks like a mention.
  return kind !== "resource" || (resources?.isServer(splitResource(value).server) ?? false);
}

/** Corrects the kind from the disk: a path without a trailing slash may be a folder, and `:10` or `#x` a part of a file's name. */
async function asOnDisk(mention: Mention, { host }: MentionOptions): Promise<Mention> {
  if (!PATH_KINDS.has(mention.kind)) return mention;
  try {
    const stat = await host.files.stat(mentionPath(mention.value, host));
    return stat ? { ...mention, kind: stat.kind === "directory" ? "folder" : "file" } : mention;
  } catch {
    // Reading the content reports the error.
    return mention;
  }
}

function problemOf(content: Content, body: string, mention: string): MentionProblem[] {
  const { failure, isPart } = content;
  if (failure !== undefined) return [{ kind: "failed", mention, why: failure }];
  const isWhole = content.parts
    ? body.startsWith(content.body) && !isMissingParts(body)
    : body === content.body;
  if (isPart || !isWhole) return [{ kind: "cut", mention, why: [] }];
  const isLossy = content.tag === "terminal_output" && body.includes(LOSS_MARK);
  return isLossy ? [{ kind: "lossy", mention, why: [] }] : [];
}

/** The contents in order, each with the part that is sent: small ones in full, large ones share the remaining tokens. */
function fitted(contents: readonly Content[], maxTokens: number): [Content, string][] {
  const sizes = contents.map((content) => ({
    content,
    tokens: estimateTokens(
      [content.body, ...(content.parts ?? []).map(written)].join("").slice(0, EACH_LIMIT),
    ),
  }));
  const bodies = new Map<Content, string>();
  let room = Math.max(0, maxTokens);
  sizes
    .sort((a, b) => a.tokens - b.tokens)
    .forEach(({ content }, index) => {
      const share = room / (sizes.length - index);
      const body = withParts(content, bounded(content, share), share);
      room = Math.max(0, room - estimateTokens(body));
      bodies.set(content, body);
    });
  return contents.map((content) => [content, bodies.get(content) ?? ""]);
}

/** The body with those parts that fit, the smallest first, in their own order. */
function withParts({ parts = [], body: whole }: Content, body: string, maxTokens: number): string {
  if (parts.length === 0 || body !== whole) return body;
  let room = maxTokens - estimateTokens(body);
  let length = EACH_LIMIT - body.length;
  const fits = new Set<MentionPart>();
  for (const part of [...parts].sort((a, b) => a.text.length - b.text.length)) {
    const text = written(part);
    room -= estimateTokens(text);
    length -= text.length;
    if (room < 0 || length < 0) break;
    fits.add(part);
  }
  const omitted = parts.length - fits.size;
  const rest = omitted > 0 ? missingParts(omitted) : "";
  for (const part of fits) part.whole();
  return `${body}${parts.map((part) => (fits.has(part) ? written(part) : "")).join("")}${rest}`;
}

function written({ path, text }: MentionPart): string {
  return `\n<file path="${path.replaceAll('"', "&quot;")}">\n${text}\n</file>`;
}

interface Content extends MentionContent {
  tag: string;
  /** The tag with its attributes. */
  open: string;
  /** How to get the rest. */
  next: string;
  /** Why there is no content. */
  failure?: NotIncludedReason;
}

function bounded({ body, next, lead = 0, firstLine = 1 }: Content, maxTokens: number): string {
  let max = Math.min(body.length, EACH_LIMIT);
  const tokens = estimateTokens(body.slice(0, max));
  if (tokens > maxTokens) max = Math.floor((max * maxTokens) / tokens);
  if (max >= body.length) return body;
  const cut = sliceWhole(body, 0, max);
  const line = cut.split("\n").length + firstLine - 1;
  const rest = next
    .replace("{line}", String(line))
    .replace("{offset}", String(Math.max(0, cut.length - lead)));
  return `${cut}\n(cut here, ${body.length - cut.length} characters omitted; ${rest})`;
}

async function contentOf({ kind, value }: Mention, options: MentionOptions): Promise<Content> {
  const { tag, attributes, next, fill } = mentionKinds[kind];
  const frame = { tag, open: attributes ? `${tag} ${attributes(value)}` : tag, next };
  try {
    return { ...frame, ...(await fill(value, options)) };
  } catch (error) {
    if (error instanceof Interrupt || options.signal.aborted) throw new Interrupt();
    const failure: NotIncludedReason =
      error instanceof NotIncluded ? [error.code, error.detail] : pairOf(faultOf(error));
    return { ...frame, body: `(not included: ${messageOf(error)})`, failure };
  }
}

function pairOf({ code, values: [value = ""] }: Fault): [Fault["code"], string] {
  return [code, value];
}
