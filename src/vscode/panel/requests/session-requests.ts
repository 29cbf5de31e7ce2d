/** Requests about tasks that are not on screen. */
import { giveBack } from "../leaving.ts";
import { done, type HandlersOf, type RequestContext } from "./context.ts";

export function sessionRequests({
  agent,
  insert,
}: RequestContext): HandlersOf<"sessions/stop" | "sessions/dismiss"> {
  return {
    "sessions/stop": ({ id }) => done(agent().then(({ together }) => together.stop(id))),
    "sessions/dismiss": async ({ id }) => {
      const { together } = await agent();
      giveBack(await together.dismiss(id), insert);
      return {};
    },
  };
}
