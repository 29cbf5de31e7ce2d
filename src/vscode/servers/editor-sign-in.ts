/** Signs in to MCP servers in the user's browser, which then returns to this window. */
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import { loopbackSignIn } from "../../node/servers/auth/loopback-sign-in.ts";
import { answerOfQuery, type SignInPage, type SignInUi } from "../../node/servers/auth/sign-in-ui.ts";
import { Failed } from "../../node/servers/server-errors.ts";
import { reasonOf } from "../../shared/reason.ts";

/** The path in the editor's address to which authorization servers redirect the browser. */
const PATH = "/mcp-signed-in";

export class EditorSignIn implements Disposable {
  /**
   * Redirects to an address of the editor itself. If the browser runs on this machine, also to an address of this machine, for
   * authorization servers that accept only web addresses.
   */
  readonly ways: readonly SignInUi[];
  readonly #store = new DisposableStore();
  /** Waiting sign-ins by their `state`. */
  readonly #waiting = new Map<string, (answer: URL) => void>();
  readonly #id: string;

  constructor({ id }: Pick<vscode.Extension<unknown>, "id">) {
    this.#id = id;
    this.#store.add(
      vscode.window.registerUriHandler({
        handleUri: (uri) => {
          if (uri.path !== PATH) return;
          const answer = answerOfQuery(uri.query);
          this.#waiting.get(answer.searchParams.get("state") ?? "")?.(answer);
        },
      }),
    );
    const doneText = vscode.l10n.t(
      "Nekode received the answer. You can close this page and return to the editor.",
    );
    const isLocal = vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
    this.ways = [
      { begin: () => this.#begin() },
      ...(isLocal ? [loopbackSignIn({ show: openExternal, doneText })] : []),
    ];
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #begin(): Promise<SignInPage> {
    // The editor completes the address so that it leads to this window, even from another machine.
    const own = vscode.Uri.parse(`${vscode.env.uriScheme}://${this.#id}${PATH}`);
    const redirect = await vscode.env.asExternalUri(own);
    let state = "";
    return {
      redirectUrl: redirect.toString(true),
      open: async (address) => {
        state = address.searchParams.get("state") ?? "";
        const answered = new Promise<URL>((resolve) => this.#waiting.set(state, resolve));
        await openExternal(address);
        return answered;
      },
      close: () => void this.#waiting.delete(state),
    };
  }
}

async function openExternal(address: URL): Promise<void> {
  const opened = await vscode.env.openExternal(vscode.Uri.parse(address.href, true));
  if (!opened) throw new Failed(reasonOf("sign-in-no-browser"));
}
