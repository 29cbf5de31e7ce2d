import * as z from "../../shared/zod.ts";
import { ToolError } from "../errors.ts";
import { withoutFragment } from "../page-address.ts";
import type { Page } from "../ports/web.ts";
import { PAGE_TAG } from "../task-pages.ts";
import { sliceWhole } from "../text.ts";
import { defineTool, type ToolOutput, textOutput } from "./tool.ts";

export const webFetch = defineTool({
  name: "web_fetch",
  paramNames: { url: ["uri", "address", "link", "href"], offset: ["start", "from"] },
  presentation: {
    icon: "globe",
    title: { doing: "Fetching", done: "Fetched" },
    row: "tool",
    found: { one: "1 character", many: "{0} characters", range: "characters {0}" },
  },
  access: "web",
  description: "Fetches a web page as Markdown, or other text. Long pages come in parts, by offset.",
  ability:
    "Fetch pages that the user names, and documentation that is missing, with web_fetch. Put nothing private into a URL.",
  guide: {
    description:
      "Fetches a web page as Markdown, or a text or PDF file as text, without running scripts. Use it for pages that the user names and for documentation. Put nothing private into an address. A long page comes in parts, and the result names the offset of the next one.",
    params: {
      url: "The whole address, with http:// or https://.",
      offset: "The character at which to begin. Default: 0.",
    },
  },
  schema: z.object({
    url: z.string().check(z.describe("http or https.")),
    offset: z.optional(z.int().check(z.gte(0))).check(z.describe("First character.")),
  }),
  subjectParam: "url",
  async prepare({ url: named, offset = 0 }, context) {
    const { pages } = context;
    const url = await pages.address(named);
    const received = offset > 0 ? pages.kept(url) : undefined;
    return {
      paths: [],
      ...(received ? { received: true } : {}),
      view: { url: url.href },
      async run({ signal }) {
        const page = received ?? (await pages.fetch(url, signal));
        return partOf(page, url, offset, context.settings().context.maxResultCharacters);
      },
    };
  },
});

/** The characters from `offset`, at most `limit`, up to the end of a line if one is near. */
function partOf({ url: final, text, isPart }: Page, url: URL, offset: number, limit: number): ToolOutput {
  const total = text.length;
  if (offset > 0 && offset >= total)
    throw new ToolError(`${final} has ${total} characters; offset ${offset} is past its end.`);
  const part = sliceWhole(text, offset, endOf(text, offset, limit));
  const end = offset + part.length;
  const facts = [final === withoutFragment(url) ? final : `${final}, where ${url.href} leads`];
  if (offset > 0 || end < total) facts.push(`characters ${offset} to ${end} of ${total}`);
  if (end < total) facts.push(`continue with offset ${end}`);
  else if (isPart) facts.push("the rest is too large to be fetched");
  const body = part.trim() === "" ? "(the page has no text)" : part;
  const whole = offset === 0 && end === total;
  return textOutput(
    `(${facts.join("; ")})\n<${PAGE_TAG} url="${final.replaceAll('"', "&quot;")}">\n${body}\n</${PAGE_TAG}>`,
    { text: whole ? `${total}` : `${offset}-${end} / ${total}` },
  );
}

function endOf(text: string, offset: number, limit: number): number {
  const most = offset + limit;
  if (most >= text.length) return text.length;
  const line = text.lastIndexOf("\n", most - 1) + 1;
  return line > offset + limit * 0.8 ? line : most;
}
