/** What the model and the user get of a server's result. */
import type { ResultPart } from "../../../shared/message.ts";
import { terminalText } from "../../../shared/terminal-output.ts";
import type { ServerCallResult } from "../../ports/servers.ts";
import { imageOf, textOf } from "../../servers/content-text.ts";
import { KeptResults } from "../../servers/kept-results.ts";
import type { ToolContext, ToolOutput } from "../tool.ts";
import { isRepeated } from "./repeated-content.ts";

/** Characters of a result that its row shows. */
const SHOWN_CHARACTERS = 20_000;

/** Characters of JSON that is indented for the reader; in nested content, indentation can take a hundred times the space. */
const MOST_INDENTED = 100_000;

/** A text that is too long is stored for the task; the part that is returned ends with how to read the rest. */
export function serverOutput(
  { content, structured, isError, mismatch }: ServerCallResult,
  server: string,
  context: ToolContext,
): ToolOutput {
  const texts = content.map(textOf).filter((text) => text !== "");
  if (structured !== undefined && !isRepeated(texts, structured)) texts.push(jsonOf(structured));
  const images = content.flatMap((part): ResultPart[] => {
    const image = part.type === "image" ? imageOf(part) : undefined;
    return image ? [{ type: "image", ...image }] : [];
  });
  const whole = texts.join("\n\n");
  const limit = context.settings().context.maxResultCharacters;
  const text = keptResultsOf(context).bound(whole, limit, readingOn(server));
  const nothing = images.length > 0 ? "" : "(The tool returned nothing.)";
  const first = isError ? `The tool reported an error:\n${text}` : text;
  const answer = first === "" ? nothing : first;
  // Placed first, because it must not be truncated.
  const message = mismatch === undefined ? answer : `(${mismatch})\n${answer}`;
  return {
    parts: [...(message === "" ? [] : [{ type: "text" as const, text: message }]), ...images],
    shown: { output: terminalText(whole).slice(0, SHOWN_CHARACTERS) },
    ...(isError ? { failed: true } : {}),
  };
}

function jsonOf(structured: unknown): string {
  const plain = JSON.stringify(structured);
  return plain.length > MOST_INDENTED ? plain : JSON.stringify(structured, null, 2);
}

const resultsByTask = new WeakMap<ToolContext, KeptResults>();

/** The results kept for this task. */
export function keptResultsOf(context: ToolContext): KeptResults {
  const known = resultsByTask.get(context) ?? new KeptResults();
  resultsByTask.set(context, known);
  return known;
}

/** How the model reads the rest of a result of this server. */
export function readingOn(server: string): (uri: string) => string {
  return (uri) => `access_mcp_resource with server_name ${server} and uri ${uri} shows more.`;
}
