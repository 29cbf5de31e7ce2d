/** Requests about sessions that are not active here. */
import type { Handlers } from "../../../shared/rpc.ts";
import { giveBack } from "../leaving.ts";
import { done, type RequestContext } from "./context.ts";

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
