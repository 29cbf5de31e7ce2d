/** Requests about the active session: messages, decisions and views. */
import type { AgentList } from "../../../shared/agent-list.ts";
import type { Handlers } from "../../../shared/rpc.ts";
import { leaving, switching } from "../leaving.ts";
import { done, type RequestContext, worded } from "./context.ts";

export function chatRequests({ acting, connected, session, editor, insert, pageOpened }: RequestContext) {
  return {
    "chat/open": async ({ draft: remembered }) => {
      const { project, events } = await connected();
      const [setup, draft, current] = await Promise.all([
        editor.setup(),
        editor.draft(remembered),
        editor.currentFile(),
      ]);
      pageOpened();
      // Read only after the page receives changes, so that no change is lost.
      const sessions = project.overview.all;
      return {
        ...events.snapshot(),
        setup,
        ...(draft ? { draft } : {}),
        ...(current ? { current } : {}),
        ...(sessions.length > 0 ? { sessions } : {}),
      };
    },
    "chat/send": async ({ text, images }) => {
      const { view, events } = await acting();
      // The message is written to disk only after all its mentions were read. Until then the draft preserves it.
      await editor.draftKept();
      const result = await worded(view.send(text, images), editor);
      // The page shows the message as sent until the answer arrives, and then its row.
      events.flush();
      return result;
    },
    "chat/worktree": async ({ on }) => done((await acting()).view.setBeginsInWorktree(on)),
    "chat/earlier": async ({ until, all = false }) => {
      const { view, events } = await connected();
      await (await view.settled()).showEarlier(until === undefined ? { all } : { until, all });
      // The caller has received all of it when the answer arrives.
      events.flush();
      return {};
    },
    "chat/find": async ({ text }) => (await connected()).view.active.texts.find(text, editor.t),
    "chat/stop": async () => done((await acting()).view.stop()),
    "chat/new": async () => {
      const { view } = await acting();
      return switching(view, () => done(view.newTask({ keep: true })), insert);
    },
    "chat/retry": async () => done((await session()).retry()),
    "chat/mode": async ({ mode }) => done((await session()).setMode(mode)),
    "chat/start-plan": async () => done((await session()).startWaitingPlan()),
    "agents/list": async () => {
      const { project, view } = await connected();
      const { agent } = view.active.transcript;
      return { agents: await project.agents(), handoffs: agent?.handoffs ?? [] } satisfies AgentList;
    },
    "agents/choose": async ({ name }) => done((await acting()).project.chooseAgent(await session(), name)),
    "chat/permission": async (change) => done((await session()).changePermission(change)),
    "chat/approve": async ({ callId, comment, allow, left }) => ({
      accepted: (await acting()).view.active.approve(callId, comment, {
        ...(allow === undefined ? {} : { allow }),
        ...(left === undefined ? {} : { left }),
      }),
    }),
    "chat/window": async () => {
      const { requests } = (await acting()).view.active;
      return { ...requests.contents(), rules: await requests.rules(), memory: requests.notes() };
    },
    "permission/items": async () => (await acting()).project.permissionItems,
    "chat/reject": async ({ callId, comment }) => ({
      accepted: (await acting()).view.active.reject(callId, comment),
    }),
    "chat/forecast": async ({ text }) => (await acting()).view.active.requests.forecast(text),
    "chat/choose-answer": async ({ comparison, index }) => ({
      accepted: await (await session()).comparisons.choose(comparison, index),
    }),
    "chat/why": async ({ callId }) => {
      const explanation = await (await acting()).view.active.approvals.why(callId);
      return explanation ? { explanation } : {};
    },
    "chat/prepare-answer": async ({ callId, ...answer }) => {
      const { view, events } = await connected();
      view.active.approvals.prepare(callId, answer);
      // When the answer arrives, the page replaces its own copy by the host's, which it must have received by then.
      events.flush();
      return {};
    },
    "chat/answer-form": async ({ id, answer }) => ({
      accepted: (await acting()).view.active.serverForms.answer(id, answer),
    }),
    "chat/run-blocked": async ({ callId }) => ({
      accepted: await worded((await session()).runBlocked(callId, editor.t), editor),
    }),
    "chat/move-to-background": async ({ callId }) => ({
      accepted: (await acting()).view.active.foregroundCalls.moveToBackground(callId),
    }),
    "chat/end-background": async ({ id }) => done((await acting()).project.background.end(id)),
    "chat/edit-queued": async ({ id, text }) =>
      done(worded((await acting()).view.active.queued.edit(id, text), editor)),
    "chat/move-queued": async ({ id, index }) => {
      (await acting()).view.active.queued.move(id, index);
      return {};
    },
    "chat/send-queued": async ({ id }) => done((await acting()).view.active.queued.sendNow(id)),
    "chat/unqueue": async ({ id }) => {
      (await acting()).view.active.queued.remove(id);
      return {};
    },
    "chat/edit": async ({ messageId, text, images, stop }) => {
      const { view } = await acting();
      if (text.trim() === "") return { canceled: true };
      const resend = async () => {
        if (!(await editor.restoreForEdit(messageId))) return { canceled: true };
        await worded(view.editAndResend(messageId, text, images, insert), editor);
        return { canceled: false };
      };
      const result = await leaving(view, resend, { stop, give: insert });
      return "working" in result ? { ...result, canceled: true } : result;
    },
    "chat/left-out": async ({ notice }) => (await acting()).view.active.texts.leftOut(notice),
    "chat/picture": async ({ callId, index }) => {
      const picture = (await connected()).view.active.texts.picture(callId, index);
      return picture ? { picture } : {};
    },
    "chat/fork": async ({ messageId, stop }) => {
      const { view } = await acting();
      const branch = async () => {
        insert(await view.fork(messageId));
        return {};
      };
      return leaving(view, branch, { stop, give: insert });
    },
    "chat/todo": async ({ markdown }) => done((await acting()).view.active.setTodo(markdown)),
    "host/show-part": async ({ id }) => {
      const part = (await acting()).view.active.texts.part(id);
      if (!part) throw new Error(editor.t("This is no longer part of the session."));
      return done(editor.showText(part.name, part.text));
    },
    "host/show-answer": async ({ row }) => {
      const answer = (await acting()).view.active.texts.answer(editor.t, row);
      if (!answer) throw new Error(editor.t("There is no answer yet."));
      return done(editor.showText(answer.name, answer.text));
    },
    "slash/list": async () => {
      const { project } = await connected();
      // Awaited first, because this reads the configuration from which the list of servers results.
      const commands = await project.slashCommands();
      return { commands, unlisted: [...project.unlistedServers] };
    },
    "git/commits": async ({ query }) => ({ commits: await (await connected()).project.commits(query) }),
    "symbols/find": async ({ query, limit, starts }) => ({
      symbols: await (await connected()).project.symbols(query, limit, starts),
    }),
    "resources/find": async ({ query, limit }) => ({
      resources: await (await connected()).project.resources(query, limit),
    }),
    "checkpoint/restore": async ({ id, conversation }) => {
      if (await editor.restore(id, conversation)) insert(await (await acting()).view.fork(id));
      return {};
    },
  } satisfies Partial<Handlers>;
}
