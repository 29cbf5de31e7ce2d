/** The `FileStates` port over the disk, with what the person has not saved yet counted as the file's content. */
import * as vscode from "vscode";
import { ToolError } from "../../core/errors.ts";
import type { FileContent, FileStates } from "../../core/ports/file-states.ts";
import { encode } from "../../node/files/encodings.ts";
import { reasonOf } from "../../shared/reason.ts";
import { saveWithOthers } from "../editor/document-saving.ts";
import { documentOf } from "../editor/open-documents.ts";

type Found = FileContent | null | "large" | "other";

export function createEditorFileStates(
  disk: FileStates,
  ours: (uri: vscode.Uri) => { dispose(): void },
): FileStates {
  const read = async (file: string, limit: number): Promise<Found> => {
    const found = await disk.read(file, limit);
    const document = documentOf(vscode.Uri.file(file));
    if (!document?.isDirty) return found;
    // A link is itself, whatever the editor shows of the file that it leads to.
    if (found !== null && typeof found === "object" && found.kind === "link") return found;
    const encoded = encode(document.getText(), encodingOf(document));
    if (!encoded.ok) return "other";
    if (encoded.bytes.length > limit) return "large";
    const { kind, mode } = found !== null && typeof found === "object" ? found : { kind: "file" as const };
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
          `${file} changed at the same moment. Nothing was changed.`,
          reasonOf("file-changed"),
        );
      }
      // The person agreed to lose the unsaved text, which is kept: saved, the editor follows what comes to the disk.
      const own = ours(uri);
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
