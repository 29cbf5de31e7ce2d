/** Answers the panel's requests that concern the contents of an answer and need the editor. */

import { realpath } from "node:fs/promises";
import * as path from "node:path";
import * as vscode from "vscode";
import type { View } from "../../core/agent/view.ts";
import { Judge } from "../../core/loop/calls/permission.ts";
import { isInside } from "../../core/roots.ts";
import { reasonOf } from "../../shared/reason.ts";
import type { Settings } from "../../shared/settings.ts";
import type { answerProtocol } from "../../shared/view/answer-protocol.ts";
import { reasonWords } from "../../shared/words/reasons/reasons.ts";
import { translator } from "../../shared/words/task-words.ts";
import * as z from "../../shared/zod.ts";
import type { EditorHost } from "../editor-host.ts";
import { missingFiles } from "../files/existing-file.ts";
import { resolveInWorkspace, workspace } from "../files/workspace-folders.ts";
import { languageIdOf } from "./language-ids.ts";
import { rulesSchema, themeRules, tokenColors } from "./token-colors.ts";

/** `answer/sent` is answered elsewhere, because the session stores the images that were sent. */
type Requests = Omit<typeof answerProtocol, "answer/sent">;
export type AnswerHandlers = {
  [N in keyof Requests]: (params: z.infer<Requests[N]["params"]>) => Promise<z.infer<Requests[N]["result"]>>;
};

export interface AnswerParts {
  host: EditorHost;
  /** The view whose active session's files are named. */
  view: View;
  settings(): Settings;
}

/** Maximum bytes of an image that is shown in an answer. */
const LARGEST_IMAGE = 5_000_000;
const IMAGE_TYPES: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".bmp": "image/bmp",
  ".ico": "image/x-icon",
  ".svg": "image/svg+xml",
};

export function createAnswerRequests({ host, view, settings }: AnswerParts): AnswerHandlers {
  const judge = new Judge(host, settings);
  /** The folder in which the active session works; undefined: the workspace. */
  const folder = () => view.active.chatView.session?.worktree?.root;
  return {
    "answer/colors": async ({ theme }) => ({ colors: await colorsOf(theme) }),
    async "answer/insert"({ text }) {
      const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
      if (!editor) throw new Error(vscode.l10n.t("Open a file to insert the code into."));
      const done = await editor.edit((edit) => {
        for (const selection of editor.selections) edit.replace(selection, text);
      });
      if (!done) throw new Error(vscode.l10n.t("The code could not be inserted into this editor."));
      await vscode.window.showTextDocument(editor.document, editor.viewColumn);
      return {};
    },
    async "answer/new-file"({ text, language }) {
      const known = await vscode.languages.getLanguages();
      const id = languageIdOf(language, known);
      const document = await vscode.workspace.openTextDocument(
        id === undefined ? { content: text } : { content: text, language: id },
      );
      await vscode.window.showTextDocument(document);
      return {};
    },
    async "answer/run"({ command }) {
      const cwd = folder() ?? workspace.root;
      if (cwd === undefined) throw new Error(vscode.l10n.t("Open a folder to run the command."));
      if (!workspace.trusted) {
        throw new Error(vscode.l10n.t("Commands do not run in a workspace that you do not trust."));
      }
      const { verdict, reason, sandbox } = await judge.permission(
        { access: "command" },
        { paths: [], command },
        "act",
      );
      // It runs outside, as if the user had typed it.
      const why = sandbox === undefined ? reason : reasonOf("outside-sandbox");
      const words = reasonWords(translator(vscode.l10n.bundle ?? {}), why);
      if (verdict === "deny") throw new Error(vscode.l10n.t("Not run: {0}", words));
      if (verdict === "ask" || sandbox !== undefined) {
        const run = vscode.l10n.t("Run");
        const question = vscode.l10n.t("Run this command in the terminal?");
        const detail = words === "" ? command : `${command}\n\n${words}`;
        const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, run);
        if (answer !== run) return {};
      }
      const { signal } = new AbortController();
      // The command's end is shown in the terminal; the panel does not wait for it.
      void host.shell
        .run(command, { cwd, timeoutMs: Number.POSITIVE_INFINITY, signal, onOutput: () => {} })
        .catch((error: unknown) => host.log.info(`command of an answer: ${String(error)}`));
      return {};
    },
    async "answer/symbol"({ name }) {
      const match = await symbolNamed(name);
      if (!match) throw new Error(vscode.l10n.t("No symbol named {0} was found in this workspace.", name));
      const { uri, range } = match.location;
      // Deselects the code, because the next key press would replace a selection.
      const selection = new vscode.Range(range.start, range.start);
      await vscode.commands.executeCommand("vscode.open", uri, { selection });
      return {};
    },
    async "answer/image"({ path: named }) {
      const image = await workspaceImage(named, judge, folder());
      return image ? { image } : {};
    },
    async "answer/missing"({ paths }) {
      const within = folder();
      const folders = within === undefined ? workspace.roots.map((root) => root.path) : [within];
      return { missing: await missingFiles(paths, (name) => resolveInWorkspace(name, within), folders) };
    },
  };
}

const themesSchema = z.array(
  z.object({ id: z.optional(z.string()), label: z.optional(z.string()), path: z.string() }),
);
const customSchema = z.object({ textMateRules: z.optional(rulesSchema) });

/** Empty when no extension contributes the theme, or its file has another format. The panel then uses its own colors. */
async function colorsOf(theme: string): Promise<Record<string, string>> {
  for (const { extensionUri, packageJSON } of vscode.extensions.all) {
    const themes = themesSchema.safeParse(packageJSON?.contributes?.themes);
    const match = themes.data?.find(({ id, label }) => id === theme || label === theme);
    if (!match) continue;
    const custom = customSchema.safeParse(
      vscode.workspace.getConfiguration("editor").get("tokenColorCustomizations"),
    );
    const rules = await themeRules(
      path.posix.normalize(match.path),
      async (file) => {
        const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extensionUri, file));
        return new TextDecoder().decode(bytes);
      },
      (from, to) => path.posix.join(path.posix.dirname(from), to),
    );
    return tokenColors([...rules, ...(custom.data?.textMateRules ?? [])]);
  }
  return {};
}

/** The symbol with exactly that name; `Class.member` and `name()` are understood. */
async function symbolNamed(written: string): Promise<vscode.SymbolInformation | undefined> {
  const name = written.replace(/\(.*\)$/, "");
  const parts = name.split(/\.|::|#/);
  const last = parts.at(-1) ?? name;
  const symbols = await vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
    "vscode.executeWorkspaceSymbolProvider",
    last,
  );
  const plain = (text: string) => text.replace(/\(.*\)$/, "");
  const same = (symbols ?? []).filter((symbol) => [last, name].includes(plain(symbol.name)));
  const container = parts.at(-2);
  return same.find((symbol) => symbol.containerName === container) ?? same[0];
}

async function workspaceImage(
  named: string,
  judge: Judge,
  folder: string | undefined,
): Promise<{ mimeType: string; data: string } | undefined> {
  const mimeType = IMAGE_TYPES[path.extname(named).toLowerCase()];
  const file = resolveInWorkspace(named, folder);
  const real = file && (await realpath(file).catch(() => undefined));
  if (mimeType === undefined || real === undefined) return undefined;
  const all = folder === undefined ? workspace.roots.map((root) => root.path) : [folder];
  const roots = await Promise.all(all.map((root) => realpath(root).catch(() => root)));
  if (!roots.some((root) => isInside(root, real))) return undefined;
  const { verdict } = await judge.permission(
    { access: "read" },
    { paths: [{ path: real, access: "read" }] },
    "act",
  );
  if (verdict !== "allow") return undefined;
  const uri = vscode.Uri.file(real);
  const { size, type } = await vscode.workspace.fs.stat(uri);
  if (size > LARGEST_IMAGE || !(type & vscode.FileType.File)) return undefined;
  return { mimeType, data: Buffer.from(await vscode.workspace.fs.readFile(uri)).toString("base64") };
}
