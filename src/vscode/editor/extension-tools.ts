/** The tools that other extensions offer to models, through VS Code's stable API (`vscode.lm`). */
import * as vscode from "vscode";
import { Interrupt, messageOf, NeedsEditorChat, ToolError } from "../../core/errors.ts";
import type { EditorTool, EditorToolPart, EditorTools } from "../../core/ports/editor-tools.ts";
import type { Host } from "../../core/ports/host.ts";
import * as z from "../../shared/zod.ts";
import { extensionToolPart } from "./extension-tool-parts.ts";

/** What an extension declares of its tools. */
const declaredSchema = z.object({
  displayName: z.optional(z.string()),
  contributes: z.object({
    languageModelTools: z.array(z.object({ name: z.string(), displayName: z.optional(z.string()) })),
  }),
});

/** Names of tools that work on a request of the editor's own chat. */
const INTERNAL = /_internal$/;
/** How the editor says that a tool needs such a request. */
const NEEDS_TOKEN = /toolInvocationToken|invocation token|chat context/i;

/** Nothing where the editor has no such tools. `ownUri`: of Nekode's folder. */
export function extensionTools(ownUri: vscode.Uri): Pick<Host, "editorTools"> {
  const isThere = "lm" in vscode && "tools" in vscode.lm && "invokeTool" in vscode.lm;
  return isThere ? { editorTools: { list: () => listTools(ownUri), call } satisfies EditorTools } : {};
}

function listTools(ownUri: vscode.Uri): EditorTool[] {
  const owners = new Map<string, Pick<EditorTool, "extension" | "owner" | "title"> & { isOwn: boolean }>();
  for (const { id, extensionUri, packageJSON } of vscode.extensions.all) {
    const declared = declaredSchema.safeParse(packageJSON).data;
    const isOwn = extensionUri.toString() === ownUri.toString();
    for (const { name, displayName } of declared?.contributes.languageModelTools ?? [])
      owners.set(name, {
        ...{ isOwn, extension: id, owner: declared?.displayName ?? id },
        ...(displayName === undefined ? {} : { title: displayName }),
      });
  }
  return vscode.lm.tools.flatMap(({ name, description, inputSchema }) => {
    const { isOwn, ...owner } = owners.get(name) ?? {
      extension: "",
      owner: vscode.env.appName,
      isOwn: false,
    };
    if (isOwn || INTERNAL.test(name)) return [];
    return [{ ...owner, name, description, ...(inputSchema === undefined ? {} : { inputSchema }) }];
  });
}

async function call(
  name: string,
  input: Record<string, unknown>,
  signal: AbortSignal,
): Promise<EditorToolPart[]> {
  const source = new vscode.CancellationTokenSource();
  const cancel = () => source.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    const { content } = await vscode.lm.invokeTool(
      name,
      { input, toolInvocationToken: undefined },
      source.token,
    );
    if (signal.aborted) throw new Interrupt();
    return content.map(extensionToolPart);
  } catch (error) {
    if (signal.aborted) throw new Interrupt();
    const message = messageOf(error);
    if (NEEDS_TOKEN.test(message)) throw new NeedsEditorChat(message);
    throw new ToolError(`The tool ${name} failed: ${message}`);
  } finally {
    signal.removeEventListener("abort", cancel);
    source.dispose();
  }
}
