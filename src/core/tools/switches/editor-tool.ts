/** A tool of another extension, as a tool of a task: with an approval of its own, and a result that counts as text from outside. */
import type { ResultPart } from "../../../shared/message.ts";
import { terminalText } from "../../../shared/terminal-output.ts";
import type { ToolPresentation } from "../../../shared/tool-presentation.ts";
import { base64, sha256 } from "../../bytes.ts";
import { NeedsEditorChat, ToolError } from "../../errors.ts";
import { IMAGE_LIMIT, imageFacts } from "../../image-facts.ts";
import type { EditorTool, EditorToolPart, EditorTools } from "../../ports/editor-tools.ts";
import { canonicalJson } from "../../servers/content-hashes.ts";
import { defineForeignTool, type Tool, type ToolOutput } from "../tool.ts";
import type { EditorToolChoice, ToolRecords } from "./tool-records.ts";

/** Characters of a result that its row shows. */
const SHOWN_CHARACTERS = 20_000;

export const EXTENSION_FACE: ToolPresentation = {
  icon: "plug",
  title: { doing: "Using extension tool", done: "Used extension tool" },
  row: "tool",
  question: "Call this tool of another extension?",
};

const NO_PARAMETERS = { type: "object", properties: {} };

export interface EditorToolDeps {
  port: EditorTools;
  records: Pick<ToolRecords, "editor" | "setEditor">;
}

/** Two extensions may use the same name, one after the other. */
export function editorToolKey({ extension, name }: Pick<EditorTool, "extension" | "name">): string {
  return `${extension.toLowerCase()}/${name}`;
}

/** Differs for another definition of the tool. */
export function editorToolHash({ name, title, description, inputSchema }: EditorTool): Promise<string> {
  return sha256(
    new TextEncoder().encode(canonicalJson([name, title ?? "", description, inputSchema ?? null])),
  );
}

/** `called`: the name by which models call it. Throws if the schema is not one of an object. */
export function editorTool(offered: EditorTool, called: string, { port, records }: EditorToolDeps): Tool {
  const { owner, name, title, description } = offered;
  const key = editorToolKey(offered);
  /** The tool and the user's choice as they are now, because both may have changed since the turn began. */
  const current = async (): Promise<{ now: EditorTool; choice: EditorToolChoice }> => {
    const now = port.list().find((each) => editorToolKey(each) === key);
    if (!now)
      throw new ToolError(
        `${owner} no longer offers the tool ${name}, so the call was not made. Its extension was probably switched off or removed. Do without it.`,
      );
    const choice = (await records.editor())[key];
    if (!choice?.on) throw new ToolError(`The user switched the tool ${name} of ${owner} off.`);
    return { now, choice };
  };
  const tool = defineForeignTool({
    name: called,
    presentation: EXTENSION_FACE,
    access: "mcp",
    // Nothing says for certain that such a tool only reads.
    modes: ["act"],
    description: description.trim() === "" ? (title ?? name) : description,
    schema: offered.inputSchema ?? NO_PARAMETERS,
    async prepare(args) {
      const { now, choice } = await current();
      const hash = await editorToolHash(now);
      return {
        paths: [],
        server: {
          always: choice.always,
          reading: false,
          changed: choice.accepted !== hash,
          destructive: false,
          isOfExtension: true,
          identity: `${key} ${hash}`,
        },
        view: {
          server: {
            name: owner,
            tool: name,
            ...(title === undefined ? {} : { title }),
            description: now.description,
            arguments: JSON.stringify(args, null, 2),
          },
          always: `${owner}: ${name}`,
        },
        allowAlways: () => records.setEditor(key, { always: true, accepted: hash }),
        async run({ signal }) {
          const again = await current();
          if ((await editorToolHash(again.now)) !== hash)
            throw new ToolError(
              `${owner} changed its tool ${name} since this call was allowed, so the call was not made. Send it again if it is still needed.`,
            );
          if (choice.accepted !== hash) await records.setEditor(key, { accepted: hash });
          try {
            return editorToolOutput(await port.call(name, args, signal));
          } catch (error) {
            if (!(error instanceof NeedsEditorChat)) throw error;
            await records.setEditor(key, { needsChat: true });
            throw new ToolError(
              `The tool ${name} of ${owner} works only in the editor's own chat, so it cannot be called from here. It is not offered in later turns. Do without it.`,
            );
          }
        },
      };
    },
  });
  return { ...tool, server: { name: owner, tool: name }, subject: () => `${owner}: ${name}` };
}

/** Texts together, then the images. What a model can neither read nor see is named. */
export function editorToolOutput(parts: readonly EditorToolPart[]): ToolOutput {
  const read = parts.map(readPart);
  const whole = read
    .flatMap((part) => (part.type === "text" && part.text !== "" ? [part.text] : []))
    .join("\n\n");
  const images = read.filter((part) => part.type === "image");
  const text = whole === "" && images.length === 0 ? "(The tool returned nothing.)" : whole;
  return {
    parts: [...(text === "" ? [] : [{ type: "text" as const, text }]), ...images],
    shown: { output: terminalText(whole).slice(0, SHOWN_CHARACTERS) },
  };
}

/** What is an image is decided by its first bytes, not by the type that the extension states. */
function readPart(part: EditorToolPart): ResultPart {
  if (part.type === "text") return part;
  const { mimeType, data } = part;
  const facts = imageFacts(data);
  if (facts && data.length <= IMAGE_LIMIT)
    return { type: "image", mimeType: facts.mimeType, data: base64(data) };
  if (/^text\/|[/+]json$/.test(mimeType)) return { type: "text", text: new TextDecoder().decode(data) };
  const why = facts
    ? "The image is too large to be sent"
    : "It is neither text nor an image that can be sent";
  return { type: "text", text: `[Data, ${mimeType}, ${data.length} bytes. ${why}.]` };
}
