/** Requests about sessions that are not active here: stored sessions of this project and of others, and other open ones. */
import type { Project } from "../../../core/agent/project.ts";
import { IMPORT_LIMIT } from "../../../core/sessions/exchange.ts";
import { historyQuerySchema } from "../../../shared/protocol.ts";
import type { Handlers } from "../../../shared/rpc.ts";
import { isWorking } from "../../../shared/view/session-item.ts";
import { importRefusalText } from "../../../shared/words/history-words.ts";
import { giveBack, leaving, switching } from "../leaving.ts";
import { done, type EditorActions, type RequestContext, worded } from "./context.ts";

export function historyRequests({ acting, connected, editor, insert }: RequestContext) {
  return {
    "history/list": async (query) => (await acting()).project.library.find(historyQuerySchema.parse(query)),
    "history/prepare": async () => done((await connected()).project.library.prepare()),
    "history/open": async ({ id, takeOver = false }) => {
      const { view } = await acting();
      return switching(view, () => view.open(id, { takeOver, keep: true }), insert);
    },
    "history/open-other": async ({ id, project: key, how }) => {
      const { view, project } = await acting();
      if (how === "copy") {
        const copy = await project.library.copy(id, key);
        return switching(view, () => done(view.open(copy, { keep: true })), insert);
      }
      const other = await project.library.other(id, key);
      if (!other) throw new Error(editor.t("This session no longer exists."));
      if (how === "folder") return done(editor.openProject(other.project.folder));
      const { name, text } = await project.library.export(id, "md", editor.t, key);
      return done(editor.showText(name, text));
    },
    "history/adopt": async ({ project: key }) => ({
      imported: await (await acting()).project.library.adopt(key),
    }),
    "history/rename": async ({ id, title }) => done((await acting()).project.rename(id, title)),
    "history/favorite": async ({ id, favorite }) =>
      done((await acting()).project.library.setFavorite(id, favorite)),
    "history/delete": async ({ id, stop }) => {
      const { view, project } = await acting();
      const remove = async () => ({ undoMs: await project.deleteSession(id) });
      if (id !== view.active.id) {
        const works = project.overview.all.some((item) => item.id === id && isWorking(item));
        if (works && !stop) return { working: true, undoMs: 0 };
        await project.stop(id);
        giveBack(await project.dismiss(id), insert);
        return remove();
      }
      const result = await leaving(view, remove, { stop, give: insert });
      return "working" in result ? { ...result, undoMs: 0 } : result;
    },
    "history/undelete": async ({ id }) => done((await acting()).project.library.undelete(id)),
    "history/export": async ({ id, format, project: key }) => {
      const file = await (await acting()).project.library.export(id, format, editor.t, key);
      return done(editor.saveFile(file));
    },
    "history/foreign": async (asked) => (await acting()).project.library.foreign(asked),
    "history/import": async () => ({ imported: await importFiles((await acting()).project, editor) }),
  } satisfies Partial<Handlers>;
}

/** Imports every file that is a session; throws a description of the problem with the first one that is not. */
async function importFiles({ library }: Project, editor: EditorActions): Promise<number> {
  let imported = 0;
  for (const bytes of await editor.chooseFiles(IMPORT_LIMIT)) {
    if (!bytes) throw new Error(importRefusalText(editor.t, "too-large", ""));
    await worded(library.import(bytes), editor);
    imported += 1;
  }
  return imported;
}

/** Requests about sessions that are not active here. */
export function sessionRequests({ acting, editor, insert }: RequestContext) {
  return {
    "sessions/open-in-tab": async ({ id }) => ((await editor.openInTab(id)) ? {} : { elsewhere: true }),
    "sessions/stop": async ({ id }) => done((await acting()).project.stop(id)),
    "sessions/dismiss": async ({ id }) => {
      const { project } = await acting();
      giveBack(await project.dismiss(id), insert);
      return {};
    },
  } satisfies Partial<Handlers>;
}
