/** Tells a session about the MCP servers that it uses. */
import type { EventBody } from "../../shared/event.ts";
import type { Disposable } from "../lifecycle.ts";
import { noticeValues } from "../servers/server-error.ts";
import type { SessionParts } from "./session-parts.ts";

/** Emits a notice when a server ended, could not be started, or will not be restarted. undefined: there are no servers. */
export function followServerNotices(
  { servers, host }: Pick<SessionParts, "servers" | "host">,
  session: { readonly id: string; emit(event: EventBody): void },
): Disposable | undefined {
  return servers?.onNotice(({ type, server, failure, sessions }) => {
    if (!sessions.includes(session.id)) return;
    session.emit({
      type: "notice",
      id: host.newId(),
      code: `server-${type}`,
      values: noticeValues(server, failure),
    });
  });
}
