/** Word documents by mammoth, whose plain HTML becomes Markdown. */
import mammoth from "mammoth";

export async function docxText(bytes: Uint8Array): Promise<string> {
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(bytes) },
    { convertImage: mammoth.images.imgElement(async () => ({ src: "" })), externalFileAccess: false },
  );
  const text = markdownOf(value);
  if (text === "") throw new Error("It holds no text.");
  return text;
}

/** The few tags that mammoth writes, as Markdown. Anything else is dropped, its text stays. */
export function markdownOf(html: string): string {
  const out: string[] = [];
  const lists: ("ol" | "ul")[] = [];
  const counts: number[] = [];
  let inCell = 0;
  const lineBreak = () => out.push(inCell > 0 ? " " : "\n");
  for (const [, tag, text] of html.matchAll(/<([^>]*)>|([^<]+)/g)) {
    if (text !== undefined) {
      out.push(unescaped(text));
      continue;
    }
    const [, closing, name = ""] = /^(\/?)\s*([a-z0-9]+)/.exec(tag ?? "") ?? [];
    const opens = closing === "";
    if (/^h[1-6]$/.test(name)) {
      if (opens) out.push(`\n\n${"#".repeat(Number(name[1]))} `);
      else out.push("\n\n");
    } else if (name === "p") {
      if (!opens && lists.length === 0) out.push(inCell > 0 ? " " : "\n\n");
    } else if (name === "br") lineBreak();
    else if (name === "ul" || name === "ol") {
      if (opens) {
        lists.push(name);
        counts.push(0);
      } else {
        lists.pop();
        counts.pop();
        if (lists.length === 0) out.push("\n\n");
      }
    } else if (name === "li" && opens) {
      const number = (counts.pop() ?? 0) + 1;
      counts.push(number);
      const mark = lists.at(-1) === "ol" ? `${number}.` : "-";
      out.push(`\n${"  ".repeat(Math.max(0, lists.length - 1))}${mark} `);
    } else if (name === "table") out.push("\n\n");
    else if (name === "tr") out.push(opens ? "\n|" : "");
    else if (name === "td" || name === "th") {
      inCell += opens ? 1 : -1;
      out.push(opens ? " " : " |");
    } else if (name === "strong") out.push("**");
    else if (name === "em") out.push("*");
    else if (name === "img") out.push("[image]");
  }
  return out
    .join("")
    .replace(/[ \t]+\n/g, "\n")
    .replace(/ {2,}\|/g, " |")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: "\u00a0" };

function unescaped(text: string): string {
  return text.replace(/&(#?\w+);/g, (whole, name: string) => {
    if (!name.startsWith("#")) return entities[name] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return Number.isInteger(code) && code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
