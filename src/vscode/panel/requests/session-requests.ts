/** Requests about tasks that are not on screen here. */
import { giveBack } from "../leaving.ts";
import { done, type HandlersOf, type RequestContext } from "./context.ts";

type Name = "sessions/stop" | "sessions/dismiss" | "sessions/open-in-tab";

export function sessionRequests({ agent, editor, insert }: RequestContext): HandlersOf<Name> {
  return {
    "sessions/open-in-tab": async ({ id }) => ((await editor.openInTab(id)) ? {} : { elsewhere: true }),
    "sessions/stop": ({ id }) => done(agent().then(({ together }) => together.stop(id))),
    "sessions/dismiss": async ({ id }) => {
      const { together } = await agent();
      giveBack(await together.dismiss(id), insert);
      return {};
    },
  };
}
