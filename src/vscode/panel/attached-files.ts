/** What the user drops, pastes or chooses for a message: mentions of files, also outside the workspace, and why others cannot be read. */
import * as vscode from "vscode";
import { base64 } from "../../core/bytes.ts";
import { NotTextError } from "../../core/errors.ts";
import { IMAGE_LIMIT, imageFacts } from "../../core/image-facts.ts";
import type { Files } from "../../core/ports/files.ts";
import { outsideMention } from "../../shared/mentions.ts";
import { messageOf } from "../../shared/message-of.ts";
import type { Attachment, Result } from "../../shared/protocol.ts";
import { givenFiles } from "../files/given-files.ts";
import type { StoredAttachments } from "../files/stored-attachments.ts";
import { type DroppedUris, fileOf, mentionUris } from "./dropped.ts";

/** Not text, but a tool reads it, or the model sees it. */
const READABLE = /\.(?:png|jpe?g|gif|webp|pdf|docx|xlsx)$/i;
/** Bytes of the largest file that is looked at before the message is sent. Larger ones are read in parts, by tools. */
const LOOK_LIMIT = 5 * 1024 * 1024;

export class AttachedFiles {
  readonly #files: Pick<Files, "readText" | "readBytes" | "stat">;
  readonly #contents: Pick<StoredAttachments, "store">;

  constructor(
    files: Pick<Files, "readText" | "readBytes" | "stat">,
    contents: Pick<StoredAttachments, "store">,
  ) {
    this.#files = files;
    this.#contents = contents;
  }

  async mention(uris: readonly string[]): Promise<Result<"files/mention">> {
    const { mentions, refused }: DroppedUris = await mentionUris(uris);
    const problems: string[] = [];
    for (const uri of refused) {
      const file = fileOf(uri)?.fsPath;
      const given = file === undefined ? whyNoFile(uri) : await this.#give(file);
      if ("mention" in given) mentions.push(given.mention);
      else problems.push(given.problem);
    }
    return { mentions, problems };
  }

  async give(name: string, data: string): Promise<Result<"files/give">> {
    const file = await this.#contents.store(name, Buffer.from(data, "base64"));
    const given = await this.#give(file);
    return "mention" in given
      ? { mentions: [given.mention], problems: [] }
      : { mentions: [], problems: [given.problem] };
  }

  /** Shows the dialog of the editor. */
  async choose(): Promise<Result<"files/choose">> {
    const uris = await vscode.window.showOpenDialog({
      canSelectMany: true,
      // Elsewhere, a dialog that shows folders shows no files.
      canSelectFolders: process.platform === "darwin",
      openLabel: vscode.l10n.t("Attach"),
      title: vscode.l10n.t("Attach files to the message"),
    });
    const images: Attachment[] = [];
    const others: string[] = [];
    for (const uri of uris ?? []) {
      const image = await this.#image(uri.fsPath);
      if (image) images.push(image);
      else others.push(uri.toString());
    }
    return { ...(await this.mention(others)), images };
  }

  /** undefined: it is no image, or too large to be attached. */
  async #image(file: string): Promise<Attachment | undefined> {
    const stat = await this.#files.stat(file);
    if (!/\.(?:png|jpe?g|gif|webp)$/i.test(file) || stat?.kind !== "file" || stat.size > IMAGE_LIMIT)
      return undefined;
    const bytes = await this.#files.readBytes(file, IMAGE_LIMIT);
    const facts = imageFacts(bytes);
    return facts && { mimeType: facts.mimeType, data: base64(bytes) };
  }

  /** Gives a file or folder outside the workspace. */
  async #give(file: string): Promise<{ mention: string } | { problem: string }> {
    const refuse = (why: string) => ({ problem: vscode.l10n.t("{0} cannot be attached: {1}", file, why) });
    try {
      const stat = await this.#files.stat(file);
      if (stat === undefined) return refuse(vscode.l10n.t("it no longer exists"));
      if (stat.kind === "other") return refuse(vscode.l10n.t("it is neither a file nor a folder"));
      if (stat.kind === "file" && stat.size <= LOOK_LIMIT && !READABLE.test(file))
        await this.#files.readText(file);
      await givenFiles.give(file, stat.kind === "file" ? "file" : "folder");
      return { mention: outsideMention(stat.kind === "file" ? file : `${file}/`) };
    } catch (error) {
      if (error instanceof NotTextError) return refuse(vscode.l10n.t("the content is not text"));
      return refuse(messageOf(error));
    }
  }
}

function whyNoFile(uri: string): { problem: string } {
  return { problem: vscode.l10n.t("{0} is not a file on this computer.", uri) };
}
