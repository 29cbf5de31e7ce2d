/** Requests about the active session: messages, decisions and views. */
import { leaving } from "../leaving.ts";
import { done, type HandlersOf, type RequestContext, worded } from "./context.ts";

type Name =
  | "chat/open"
  | "chat/send"
  | "chat/earlier"
  | "chat/stop"
  | "chat/new"
  | "chat/retry"
  | "chat/mode"
  | "chat/approve"
  | "chat/reject"
  | "chat/choose-answer"
  | "chat/forecast"
  | "chat/why"
  | "chat/answer-form"
  | "chat/move-to-background"
  | "chat/unqueue"
  | "chat/edit"
  | "chat/left-out"
  | "chat/picture"
  | "chat/fork"
  | "chat/todo"
  | "host/show-part"
  | "slash/list"
  | "git/commits"
  | "resources/find"
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
      const { events } = await connected();
      const [setup, draft] = await Promise.all([editor.setup(), editor.draft(remembered)]);
      pageOpened();
      return { ...events.snapshot(), setup, ...(draft ? { draft } : {}) };
    },
    "chat/send": async ({ text, images }) => {
      const running = await agent();
      // The message is written to disk only after all its mentions were read. Until then the draft preserves it.
      await editor.draftKept();
      return worded(running.send(text, images), editor);
    },
    "chat/earlier": async ({ until, all = false }) => {
      const { agent: running, events } = await connected();
      await running.showEarlier(until === undefined ? { all } : { until, all });
      // The caller has received all of it when the answer arrives.
      events.flush();
      return {};
    },
    "chat/stop": () => done(agent().then((running) => running.stop())),
    "chat/new": async () => {
      const running = await agent();
      await leaving(running, () => running.newTask(), insert);
      return {};
    },
    "chat/retry": () => done(agent().then((running) => running.retry())),
    "chat/mode": ({ mode }) => done(agent().then((running) => running.setMode(mode))),
    "chat/approve": async ({ callId, comment, always = false }) => ({
      accepted: (await agent()).approve(callId, comment, { always }),
    }),
    "chat/reject": async ({ callId, comment }) => ({ accepted: (await agent()).reject(callId, comment) }),
    "chat/forecast": async ({ text }) => (await agent()).forecast(text),
    "chat/choose-answer": async ({ comparison, index }) => ({
      accepted: await (await agent()).chooseAnswer(comparison, index),
    }),
    "chat/why": async ({ callId }) => {
      const explanation = await (await agent()).waitingCalls.why(callId);
      return explanation ? { explanation } : {};
    },
    "chat/answer-form": async ({ id, answer }) => ({
      accepted: (await agent()).serverForms.answer(id, answer),
    }),
    "chat/move-to-background": async ({ callId }) => ({
      accepted: (await agent()).foregroundCalls.moveToBackground(callId),
    }),
    "chat/unqueue": ({ id }) => done(agent().then((running) => running.unqueue(id))),
    "chat/edit": ({ messageId, text, images }) =>
      done(
        worded(
          agent().then((running) => running.editAndResend(messageId, text, images, insert)),
          editor,
        ),
      ),
    "chat/left-out": async ({ notice }) => (await agent()).leftOut(notice),
    "chat/picture": async ({ callId, index }) => {
      const picture = (await connected()).agent.picture(callId, index);
      return picture ? { picture } : {};
    },
    "chat/fork": async ({ messageId }) => {
      insert(await (await agent()).fork(messageId));
      return {};
    },
    "chat/todo": ({ markdown }) => done(agent().then((running) => running.setTodo(markdown))),
    "host/show-part": async ({ id }) => {
      const part = (await agent()).part(id);
      if (!part) throw new Error(editor.t("This is no longer part of the task."));
      return done(editor.showText(part.name, part.text));
    },
    "slash/list": async () => {
      const { agent: running } = await connected();
      // Reads the configuration first.
      const commands = await running.slashCommands();
      return { commands, unlisted: [...running.unlistedServers] };
    },
    "git/commits": async ({ query }) => ({ commits: await (await connected()).agent.commits(query) }),
    "resources/find": async ({ query, limit }) => ({
      resources: await (await connected()).agent.resources(query, limit),
    }),
    "checkpoint/restore": async ({ id, conversation }) => {
      if (await editor.restore(id, conversation)) insert(await (await agent()).fork(id));
      return {};
    },
  };
}
