/** Signing in to MCP servers from a terminal: the address is shown and opened, and the browser leads back to this machine. */
import { loopbackSignIn } from "../../node/servers/auth/loopback-sign-in.ts";
import { openBrowser } from "../../node/servers/auth/open-browser.ts";
import type { SignInUi } from "../../node/servers/auth/sign-in-ui.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import type { Screen } from "../screen.ts";

export function terminalSignIn(
  screen: Pick<Screen, "err">,
  environment: NodeJS.ProcessEnv,
  t: Translate,
): SignInUi {
  return loopbackSignIn({
    doneText: t("Nekode received the answer. You can close this page and return to the terminal."),
    async show(address) {
      // Shown also if a browser opens, which may be the wrong one.
      await screen.err(`${t("To sign in, visit this address:")}\n${address.href}\n`);
      await openBrowser(address, environment);
    },
  });
}
