/** Asks the user in the editor whether a call may run. Only the user's answer to exactly that question decides. */
import type { View } from "../core/agent/view.ts";
import { rowsOf } from "../shared/view/reducer.ts";
import { visible } from "../shared/visible.ts";
import type { AcpParts } from "./acp-parts.ts";
import type { CallReport, EditorClient, PermissionAnswer } from "./reports.ts";

export interface ApprovalDeps {
  /** The id that the editor uses. */
  id: string;
  view: View;
  editor: EditorClient;
  parts: Pick<AcpParts, "t" | "log">;
  /** Aborts when the work that asks is stopped. */
  asking(): AbortSignal;
  /** Aborts when the session is closed: calls then stay undecided. */
  closing: AbortSignal;
}

const SCOPES: Partial<Record<PermissionAnswer, "session" | "workspace" | "always">> = {
  "allow-session": "session",
  "allow-workspace": "workspace",
  "allow-always": "always",
};

export class SessionApprovals {
  readonly #deps: ApprovalDeps;
  /** Commands and tools that the user rejects for the rest of the session. */
  readonly #rejected = new Set<string>();

  constructor(deps: ApprovalDeps) {
    this.#deps = deps;
  }

  /** An answer that comes when the call no longer waits changes nothing. */
  async decide(callId: string, call: CallReport): Promise<void> {
    const { view, editor, closing } = this.#deps;
    const row = rowsOf(view.active.chatView).findLast(({ id }) => id === callId);
    const always = row?.kind === "call" ? row.approval?.always : undefined;
    if (always !== undefined && this.#rejected.has(always)) {
      view.active.reject(callId);
      return;
    }
    const decision = await this.#ask(call, always);
    // The call stays undecided: it asks again when the session is opened, or is stopped with it.
    if (closing.aborted || editor.gone.aborted) return;
    if (decision === undefined) {
      // The user canceled the question, and with it the turn.
      if (view.active.approvals.first === callId) await view.stop();
      return;
    }
    if (decision === "reject-session" && always !== undefined) this.#rejected.add(always);
    if (decision === "reject" || decision === "reject-session") view.active.reject(callId);
    else {
      const allow = SCOPES[decision];
      view.active.approve(callId, undefined, allow ? { allow } : {});
    }
  }

  async #ask(call: CallReport, always: string | undefined): Promise<PermissionAnswer | undefined> {
    const { id, editor, parts, asking, closing } = this.#deps;
    try {
      return await editor.permission(id, { call, decisions: this.#decisions(always) }, asking());
    } catch (error) {
      if (!closing.aborted && !editor.gone.aborted)
        parts.log.error("the editor did not ask for permission, so the call was rejected", error);
      return "reject";
    }
  }

  /** Only what the approval offers can be stored. The narrowest scope comes first. */
  #decisions(always: string | undefined): { decision: PermissionAnswer; title: string }[] {
    const { t } = this.#deps.parts;
    const once = { decision: "allow" as const, title: t("Allow") };
    const never = { decision: "reject" as const, title: t("Reject") };
    if (always === undefined) return [once, never];
    const what = visible(always).replaceAll("\n", "⏎");
    return [
      once,
      { decision: "allow-session", title: t("Allow {0} in this session", what) },
      { decision: "allow-workspace", title: t("Allow {0} in this project", what) },
      { decision: "allow-always", title: t("Always allow {0}", what) },
      never,
      { decision: "reject-session", title: t("Reject {0} in this session", what) },
    ];
  }
}
