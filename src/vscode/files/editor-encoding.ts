/** The encoding that the editor uses for a file: that of its open document, or of the setting `files.encoding`. */
import * as vscode from "vscode";
import { type Languages, languageOf, languagesSchema } from "../../node/files/encoding/file-language.ts";
import { type EncodingNames, editorConfigNames, firstName } from "../../node/files/encoding-names.ts";
import * as z from "../../shared/zod.ts";
import { documentOf } from "../editor/open-documents.ts";

/** The editor's default, which therefore says nothing about a particular file. */
const UTF8 = "utf8";

const editorNames: EncodingNames = async (file) => {
  const uri = vscode.Uri.file(file);
  const document = documentOf(uri);
  if (document && document.encoding !== UTF8) return document.encoding;
  const configuration = vscode.workspace.getConfiguration("files", uri);
  const overrides = configuration.inspect("encoding")?.languageIds ?? [];
  const languageId =
    document?.languageId ??
    (overrides.length === 0 ? undefined : languageOf(file, configuration.get("associations"), contributed()));
  const scope = languageId === undefined ? uri : { uri, languageId };
  const name = vscode.workspace.getConfiguration("files", scope).get<string>("encoding");
  return name === UTF8 ? undefined : name;
};

/** What determines the encoding of a file in this editor. */
export const fileEncodingNames: EncodingNames = firstName(editorNames, editorConfigNames);

const manifestSchema = z.object({ contributes: z.object({ languages: languagesSchema }) });

function contributed(): Languages {
  return vscode.extensions.all.flatMap(({ packageJSON }): Languages => {
    return manifestSchema.safeParse(packageJSON).data?.contributes.languages ?? [];
  });
}
