/** Warns of what may not work as the user expects, once for a session. */
import { visible } from "../shared/visible.ts";
import { reasonWords } from "../shared/words/reasons/reasons.ts";
import { otherShellText, type Translate } from "../shared/words/task-words.ts";
import type { EditorProject } from "./project/open-editor-project.ts";
import type { Report } from "./reports.ts";

export interface WarningDeps {
  editorProject: Pick<EditorProject, "host" | "servers">;
  t: Translate;
  report(report: Report): void;
}

export class SessionWarnings {
  readonly #deps: WarningDeps;
  readonly #reported = new Set<string>();

  constructor(deps: WarningDeps) {
    this.#deps = deps;
  }

  /** Before a turn. */
  async setup(): Promise<void> {
    const { editorProject, t } = this.#deps;
    const { insteadOf, path: used } = editorProject.host.shell;
    if (insteadOf) this.#once(otherShellText(t, insteadOf.path, insteadOf.why, used));
    await editorProject.servers.tryLoad();
    for (const { server, trust } of editorProject.servers.all) {
      const { name, definition } = server;
      // A project's servers start only after the user has approved them in a terminal.
      if (trust.content === undefined || definition.disabled) continue;
      const text = t(
        "The MCP server {0} does not start without your approval. To approve it: {1}",
        name,
        `nekode mcp add --project ${name}`,
      );
      this.#once(text, trust.content);
    }
  }

  /** Servers that failed, or that the user has to sign in to on a terminal. */
  servers(): void {
    const { editorProject, t } = this.#deps;
    for (const { server } of editorProject.servers.all) {
      const { name, state, failure } = server;
      if (state === "sign-in")
        this.#once(t("{0} requires you to sign in: {1}", name, `nekode mcp login ${name}`));
      if (state !== "failed" || !failure) continue;
      const lines = [t("The MCP server {0} failed: {1}", name, reasonWords(t, failure.reason))];
      if (failure.output !== undefined) lines.push(t("The server's last output:"), failure.output);
      this.#once(lines.join("\n"));
    }
  }

  /** `about`: what makes the same text another warning. */
  #once(text: string, about = ""): void {
    const key = JSON.stringify([text, about]);
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    this.#deps.report({ type: "notice", severity: "warning", text: visible(text) });
  }
}
