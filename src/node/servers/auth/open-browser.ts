/** Opens an address in the user's browser, for hosts without an editor. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { systemProgram } from "../../find-programs.ts";
import { commandEnvironment } from "../../shell/shell-program.ts";

/** Whether a program that opens the address was started. `address` must be an http or https URL. */
export async function openBrowser(address: URL, environment: NodeJS.ProcessEnv): Promise<boolean> {
  const opener = openerFor(process.platform, environment);
  if (opener === undefined || !/^https?:$/.test(address.protocol)) return false;
  const child = spawn(opener.program, [...opener.args, address.href], {
    env: commandEnvironment(environment),
    stdio: "ignore",
    detached: true,
    windowsHide: true,
  });
  child.unref();
  const started = once(child, "spawn").then(
    () => true,
    () => false,
  );
  // Without a browser, the program ends with an error, which nobody waits for.
  child.on("error", () => {});
  return started;
}

function openerFor(
  platform: NodeJS.Platform,
  environment: NodeJS.ProcessEnv,
): { program: string; args: string[] } | undefined {
  if (platform === "win32") {
    const program = systemProgram("rundll32", environment);
    return program === undefined ? undefined : { program, args: ["url.dll,FileProtocolHandler"] };
  }
  if (platform === "darwin") return { program: path.join("/usr/bin", "open"), args: [] };
  const hasDisplay = Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY);
  const program = hasDisplay ? systemProgram("xdg-open", environment) : undefined;
  return program === undefined ? undefined : { program, args: [] };
}
