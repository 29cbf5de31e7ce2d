/** The `FileStates` port over the disk; the unsaved text of a document counts as the file's content. */
import * as vscode from "vscode";
import { ToolError } from "../../core/errors.ts";
import type { FileContent, FileStates } from "../../core/ports/file-states.ts";
import { encode } from "../../node/files/encodings.ts";
import { reasonOf } from "../../shared/reason.ts";
import { saveWithOthers } from "../editor/document-saving.ts";
import { documentOf } from "../editor/open-documents.ts";

type FileState = FileContent | null | "large" | "other";

export function createEditorFileStates(
  disk: FileStates,
  beginAgentChange: (uri: vscode.Uri) => { dispose(): void },
): FileStates {
  const read = async (file: string, limit: number): Promise<FileState> => {
    const state = await disk.read(file, limit);
    const document = documentOf(vscode.Uri.file(file));
    if (!document?.isDirty) return state;
    // A link is treated as itself, whatever the editor shows of its target.
    if (state !== null && typeof state === "object" && state.kind === "link") return state;
    const encoded = encode(document.getText(), encodingOf(document));
    if (!encoded.ok) return "other";
    if (encoded.bytes.length > limit) return "large";
    const { kind, mode } = state !== null && typeof state === "object" ? state : { kind: "file" as const };
    return { kind, bytes: encoded.bytes, ...(mode === undefined ? {} : { mode }) };
  };
  return {
    locate: (file, follow) => disk.locate(file, follow),
    read,
    madeSince: (file, moment) => disk.madeSince(file, moment),
    tidy: (file) => disk.tidy(file),
    prune: (file, outermost) => disk.prune(file, outermost),
    async put(file, content, isExpected) {
      const uri = vscode.Uri.file(file);
      const document = documentOf(uri);
      if (!document?.isDirty) return disk.put(file, content, isExpected);
      if (!(await isExpected(await read(file, Number.MAX_SAFE_INTEGER)))) {
        throw new ToolError(
          `${file} changed at the same time. Nothing was changed.`,
          reasonOf("file-changed"),
        );
      }
      // The user agreed to overwrite the unsaved text, which is backed up. Saving it first makes the document clean,
      // and the editor reloads a clean document when its file changes on disk.
      const own = beginAgentChange(uri);
      try {
        if ((await saveWithOthers(document)) !== "saved")
          throw new ToolError(`${file} could not be saved, so it was left as it is.`, reasonOf("not-saved"));
        await disk.put(file, content, async () => !document.isDirty);
      } finally {
        own.dispose();
      }
    },
  };
}

function encodingOf({ encoding }: vscode.TextDocument): { encoding: string; bom: boolean } {
  const bom = /bom$/.test(encoding) || /^utf16/.test(encoding);
  return { encoding: encoding.replace(/bom$/, ""), bom };
}
