/** The addresses that the browser tool accepts. */
import { ToolError } from "../../errors.ts";

/** The address to launch, in its normal form. Throws ToolError for anything but http, https and file. */
export function webAddress(named: string | undefined): string {
  const text = named?.trim() ?? "";
  if (text === "") throw new ToolError("launch needs the parameter url: the address to open.");
  // Addresses of development servers are often written without a scheme.
  const whole = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?(?:[/?#]|$)/i.test(text)
    ? `http://${text}`
    : text;
  if (!URL.canParse(whole)) {
    throw new ToolError(
      `${JSON.stringify(text)} is not a complete address. Write it with its scheme, such as http://localhost:3000/.`,
    );
  }
  const url = new URL(whole);
  if (url.username !== "" || url.password !== "") {
    throw new ToolError("An address with a user name or password cannot be opened. Sign in on the page.");
  }
  if (url.protocol === "file:" && url.host !== "") {
    throw new ToolError("A file on another machine cannot be opened.");
  }
  if (!/^(?:https?|file):$/.test(url.protocol)) {
    throw new ToolError(
      `${url.protocol} addresses cannot be opened, only http and https ones and files of the workspace.`,
    );
  }
  return url.href;
}

/** The path of a file address, in the system's form; undefined: it is not a file address. Throws for a bad escape. */
export function filePath(address: string): string | undefined {
  const url = new URL(address);
  if (url.protocol !== "file:") return undefined;
  try {
    const path = decodeURIComponent(url.pathname);
    return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path;
  } catch {
    throw new ToolError(`${address} is not a valid file address.`);
  }
}

/** For display and comparison: the origin, or for pages without one, what precedes the path. */
export function siteOf(address: string): string {
  if (!URL.canParse(address)) return address;
  const { origin, protocol } = new URL(address);
  return origin === "null" ? (protocol === "file:" ? "file://" : protocol) : origin;
}
