/** Requests about stored sessions: of this project and of others. */
import { IMPORT_LIMIT } from "../../../core/sessions/exchange.ts";
import { historyQuerySchema } from "../../../shared/protocol.ts";
import { isWorking } from "../../../shared/view/session-item.ts";
import { importRefusalText } from "../../../shared/words/history-words.ts";
import { giveBack, leaving, switching } from "../leaving.ts";
import type { Agent } from "./agent-port.ts";
import { done, type EditorActions, type HandlersOf, type RequestContext, worded } from "./context.ts";

type Name =
  | "history/list"
  | "history/prepare"
  | "history/open"
  | "history/open-other"
  | "history/adopt"
  | "history/rename"
  | "history/favorite"
  | "history/delete"
  | "history/undelete"
  | "history/export"
  | "history/import";

export function historyRequests({ agent, connected, editor, insert }: RequestContext): HandlersOf<Name> {
  return {
    "history/list": async (query) => (await agent()).library.find(historyQuerySchema.parse(query)),
    "history/prepare": async () => done((await connected()).agent.library.prepare()),
    "history/open": async ({ id, takeOver = false }) => {
      const running = await agent();
      return switching(running, () => running.open(id, { takeOver, keep: true }), insert);
    },
    "history/open-other": async ({ id, project, how }) => {
      const running = await agent();
      if (how === "copy") {
        const copy = await running.library.copy(id, project);
        return switching(running, () => done(running.open(copy, { keep: true })), insert);
      }
      const other = await running.library.other(id, project);
      if (!other) throw new Error(editor.t("This session no longer exists."));
      if (how === "folder") return done(editor.openProject(other.project.folder));
      const { name, text } = await running.library.export(id, "md", editor.t, project);
      return done(editor.showText(name, text));
    },
    "history/adopt": async ({ project }) => ({ imported: await (await agent()).library.adopt(project) }),
    "history/rename": ({ id, title }) => done(agent().then((running) => running.rename(id, title))),
    "history/favorite": ({ id, favorite }) =>
      done(agent().then(({ library }) => library.setFavorite(id, favorite))),
    "history/delete": async ({ id, stop }) => {
      const running = await agent();
      const { together } = running;
      const remove = async () => ({ undoMs: await running.deleteSession(id) });
      if (id !== running.sessionId) {
        const works = together.overview.all.some((item) => item.id === id && isWorking(item));
        if (works && !stop) return { working: true, undoMs: 0 };
        await together.stop(id);
        giveBack(await together.dismiss(id), insert);
        return remove();
      }
      const result = await leaving(running, remove, { stop, give: insert });
      return "working" in result ? { ...result, undoMs: 0 } : result;
    },
    "history/undelete": ({ id }) => done(agent().then(({ library }) => library.undelete(id))),
    "history/export": async ({ id, format, project }) => {
      const file = await (await agent()).library.export(id, format, editor.t, project);
      return done(editor.saveFile(file));
    },
    "history/import": async () => ({ imported: await importFiles((await agent()).library, editor) }),
  };
}

/** Imports every file that is a session; throws a description of the problem with the first one that is not. */
async function importFiles(library: Agent["library"], editor: EditorActions): Promise<number> {
  let imported = 0;
  for (const bytes of await editor.chooseFiles(IMPORT_LIMIT)) {
    if (!bytes) throw new Error(importRefusalText(editor.t, "too-large", ""));
    await worded(library.import(bytes), editor);
    imported += 1;
  }
  return imported;
}
