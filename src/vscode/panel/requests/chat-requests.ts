/** Requests about the active session: messages, decisions and views. */
import { leaving, switching } from "../leaving.ts";
import { done, type HandlersOf, type RequestContext, worded } from "./context.ts";

type Name =
  | "chat/open"
  | "chat/send"
  | "chat/earlier"
  | "chat/find"
  | "chat/worktree"
  | "chat/stop"
  | "chat/new"
  | "chat/retry"
  | "chat/mode"
  | "chat/permission"
  | "permission/items"
  | "chat/window"
  | "chat/approve"
  | "chat/reject"
  | "chat/choose-answer"
  | "chat/forecast"
  | "chat/why"
  | "chat/answer-form"
  | "chat/prepare-answer"
  | "chat/move-to-background"
  | "chat/end-background"
  | "chat/unqueue"
  | "chat/edit-queued"
  | "chat/move-queued"
  | "chat/send-queued"
  | "chat/edit"
  | "chat/left-out"
  | "chat/picture"
  | "chat/fork"
  | "chat/todo"
  | "host/show-part"
  | "host/show-answer"
  | "slash/list"
  | "git/commits"
  | "resources/find"
  | "symbols/find"
  | "checkpoint/restore";

export function chatRequests({
  agent,
  connected,
  editor,
  insert,
  pageOpened,
}: RequestContext): HandlersOf<Name> {
  return {
    "chat/open": async ({ draft: remembered }) => {
      const { agent: running, events } = await connected();
      const [setup, draft, current] = await Promise.all([
        editor.setup(),
        editor.draft(remembered),
        editor.currentFile(),
      ]);
      pageOpened();
      // Read when changes are reported, so that none is lost.
      const sessions = running.together.overview.all;
      return {
        ...events.snapshot(),
        setup,
        ...(draft ? { draft } : {}),
        ...(current ? { current } : {}),
        ...(sessions.length > 0 ? { sessions } : {}),
      };
    },
    "chat/send": async ({ text, images }) => {
      const running = await agent();
      const { events } = await connected();
      // The message is written to disk only after all its mentions were read. Until then the draft preserves it.
      await editor.draftKept();
      const result = await worded(running.send(text, images), editor);
      // The page shows the message as sent until the answer arrives, and then its row.
      events.flush();
      return result;
    },
    "chat/worktree": ({ on }) => done(agent().then(({ worktrees }) => worktrees.setBegins(on))),
    "chat/earlier": async ({ until, all = false }) => {
      const { agent: running, events } = await connected();
      await running.showEarlier(until === undefined ? { all } : { until, all });
      // The caller has received all of it when the answer arrives.
      events.flush();
      return {};
    },
    "chat/find": async ({ text }) => (await connected()).agent.texts.find(text, editor.t),
    "chat/stop": () => done(agent().then((running) => running.stop())),
    "chat/new": async () => {
      const running = await agent();
      return switching(running, () => done(running.newTask({ keep: true })), insert);
    },
    "chat/retry": () => done(agent().then((running) => running.retry())),
    "chat/mode": ({ mode }) => done(agent().then((running) => running.setMode(mode))),
    "chat/permission": (change) => done(agent().then((running) => running.permissions.change(change))),
    "chat/approve": async ({ callId, comment, allow, left }) => ({
      accepted: (await agent()).approve(callId, comment, {
        ...(allow === undefined ? {} : { allow }),
        ...(left === undefined ? {} : { left }),
      }),
    }),
    "chat/window": async () => (await agent()).windowContents(),
    "permission/items": async () => (await agent()).permissions.items,
    "chat/reject": async ({ callId, comment }) => ({ accepted: (await agent()).reject(callId, comment) }),
    "chat/forecast": async ({ text }) => (await agent()).forecast(text),
    "chat/choose-answer": async ({ comparison, index }) => ({
      accepted: await (await agent()).chooseAnswer(comparison, index),
    }),
    "chat/why": async ({ callId }) => {
      const explanation = await (await agent()).waitingCalls.why(callId);
      return explanation ? { explanation } : {};
    },
    "chat/prepare-answer": async ({ callId, ...answer }) => {
      const { agent: running, events } = await connected();
      running.waitingCalls.prepare(callId, answer);
      // The page shows what the host keeps once it has the answer to its last request.
      events.flush();
      return {};
    },
    "chat/answer-form": async ({ id, answer }) => ({
      accepted: (await agent()).serverForms.answer(id, answer),
    }),
    "chat/move-to-background": async ({ callId }) => ({
      accepted: (await agent()).foregroundCalls.moveToBackground(callId),
    }),
    "chat/end-background": ({ id }) => done(agent().then((running) => running.background.end(id))),
    "chat/edit-queued": ({ id, text }) =>
      done(
        worded(
          agent().then((running) => running.queueActions.edit(id, text)),
          editor,
        ),
      ),
    "chat/move-queued": ({ id, index }) =>
      done(agent().then((running) => running.queueActions.move(id, index))),
    "chat/send-queued": ({ id }) => done(agent().then((running) => running.queueActions.sendNow(id))),
    "chat/unqueue": ({ id }) => done(agent().then((running) => running.queueActions.remove(id))),
    "chat/edit": async ({ messageId, text, images, stop }) => {
      const running = await agent();
      if (text.trim() === "") return { canceled: true };
      const resend = async () => {
        if (!(await editor.restoreForEdit(messageId))) return { canceled: true };
        await worded(running.editAndResend(messageId, text, images, insert), editor);
        return { canceled: false };
      };
      const result = await leaving(running, resend, { stop, give: insert });
      return "working" in result ? { ...result, canceled: true } : result;
    },
    "chat/left-out": async ({ notice }) => (await agent()).texts.leftOut(notice),
    "chat/picture": async ({ callId, index }) => {
      const picture = (await connected()).agent.texts.picture(callId, index);
      return picture ? { picture } : {};
    },
    "chat/fork": async ({ messageId, stop }) => {
      const running = await agent();
      const branch = async () => {
        insert(await running.fork(messageId));
        return {};
      };
      return leaving(running, branch, { stop, give: insert });
    },
    "chat/todo": ({ markdown }) => done(agent().then((running) => running.setTodo(markdown))),
    "host/show-part": async ({ id }) => {
      const part = (await agent()).texts.part(id);
      if (!part) throw new Error(editor.t("This is no longer part of the session."));
      return done(editor.showText(part.name, part.text));
    },
    "host/show-answer": async ({ row }) => {
      const answer = (await agent()).texts.answer(editor.t, row);
      if (!answer) throw new Error(editor.t("There is no answer yet."));
      return done(editor.showText(answer.name, answer.text));
    },
    "slash/list": async () => {
      const { agent: running } = await connected();
      // Reads the configuration first.
      const commands = await running.slashCommands();
      return { commands, unlisted: [...running.unlistedServers] };
    },
    "git/commits": async ({ query }) => ({ commits: await (await connected()).agent.commits(query) }),
    "symbols/find": async ({ query, limit }) => ({
      symbols: await (await connected()).agent.symbols(query, limit),
    }),
    "resources/find": async ({ query, limit }) => ({
      resources: await (await connected()).agent.resources(query, limit),
    }),
    "checkpoint/restore": async ({ id, conversation }) => {
      if (await editor.restore(id, conversation)) insert(await (await agent()).fork(id));
      return {};
    },
  };
}
