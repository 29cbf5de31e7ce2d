/** The words for reasons from the settings, the mode and the limits of a task. */
import type { OrdinaryReasons, PolicyReasons } from "../../reason.ts";
import type { Translate } from "../task-words.ts";
import type { WordsOf } from "./reason-table.ts";

export const ordinaryWords: WordsOf<OrdinaryReasons> = {
  "reading-asks": (t) => t("reading files requires approval"),
  "editing-asks": (t) => t("editing files requires approval"),
  "commands-ask": (t) => t("commands require approval"),
  "web-asks": (t) => t("web access requires approval"),
  "mcp-asks": (t) => t("MCP tools require approval"),
  "extension-asks": (t) => t("tools of other extensions require approval"),
  none: () => "",
};

export const policyWords: WordsOf<PolicyReasons> = {
  "allow-listed": (t, entry) => t("{0} is on the allow list", entry),
  "all-commands-approved": (t) => t("all commands are approved"),
  "command-approved": (t) => t("you approved this command"),
  "in-sandbox": (t) => t("the command runs in the sandbox"),
  "outside-sandbox": (t) => t("the model asks to run the command outside the sandbox"),
  "needs-network": (t) => t("the model asks to run the command with network access"),
  "runs-in-editor": (t) => t("the editor runs the code itself, outside of any sandbox"),
  "sandbox-required": (t) => t("there is no sandbox here, and one is required"),
  "reads-without-sandbox": (t) =>
    t("read-only commands run without asking only in a sandbox, and none is used here"),
  "reading-approved": (t) => t("reading files is approved"),
  "editing-approved": (t) => t("editing files is approved"),
  "web-approved": (t) => t("web access is approved"),
  "page-received": (t) => t("the page was already fetched"),
  "mcp-approved": (t) => t("MCP tools are approved"),
  "site-asks": (t, site) => t("you have not approved {0} in this task", site),
  "site-private": (t, site) => t("{0} is on this computer or a private network", site),
  "site-own-browser": (t, site) => t("your own browser is used, in which you may be signed in to {0}", site),
  "site-granted": (t, site) => t("you approved {0} earlier in this task", site),
  "site-unchanged": (t) => t("the call contacts no new site"),
  "mcp-tool-approved": (t) => t("you always allow this tool"),
  "managed-asks": (t, managedBy) => t("{0} requires approval for this", managedBy),
  "mcp-tool-changed": (t) => t("the server changed the tool's description since you accepted it"),
  "mcp-destructive": (t) => t("the server says that the tool deletes or overwrites data"),
  "mcp-plan-mode": (t) => t("plan mode allows only MCP tools that you marked as reading"),
  talk: (t) => t("the call changes nothing"),
  "inside-project": (t) => t("the path is inside the project"),
  "not-judged": (t) => t("the call was not judged"),
  "unknown-access": (t) => t("the call was not judged"),
  "requires-approval": (t) => t("the model marked the command as requiring approval"),
  "always-asks": (t) => t("calls like this always require approval"),
  "hook-asks": (t, why) => (why === "" ? t("a hook asks you") : t("a hook asks you: {0}", why)),
  "hook-denied": (t, why) => (why === "" ? t("a hook blocked it") : t("a hook blocked it: {0}", why)),
  "memory-asks": (t, before) => replacing(t, t("all later tasks read it"), before),
  "memory-untrusted": (t, before) =>
    replacing(t, t("text from outside the project may have led to it, and all later tasks read it"), before),
  "may-omit-code": (t, line, text) => t("line {0} may stand for omitted code: {1}", line, text),
  "waited-before": (t) => t("the call was waiting for approval when the session was closed"),
  "cannot-be-kept": (t) => t("the command deletes or overwrites files that cannot be restored"),
  "plan-mode-only": (t) => t("the tool is available only in plan mode"),
  "tool-off": (t) => t("you switched this tool off"),
  "agent-tool": (t, agent) => t("the agent {0} does not have this tool", agent),
  "agent-commands": (t, agent, commands) => t("the agent {0} may run only {1}", agent, commands),
  "agent-files": (t, agent, patterns) => t("the agent {0} may change only {1}", agent, patterns),
  "plan-mode": (t) => t("plan mode does not allow changes"),
  "deny-listed": (t, entry) => t("{0} is on the deny list", entry),
};

function replacing(t: Translate, why: string, before: string): string {
  return before === "" ? why : t("{0}. Now: {1}", why, before);
}
