/** The addresses of pages that may be fetched. */
import { reasonOf } from "../shared/reason.ts";
import { ToolError } from "./errors.ts";

/** Parses the address of a page. Throws ToolError unless it is an http or https URL without a password. */
export function pageAddress(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new ToolError("the URL is not valid", reasonOf("not-an-address"));
  }
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new ToolError("only http and https URLs can be fetched", reasonOf("not-http"));
  if (url.username !== "" || url.password !== "")
    throw new ToolError(
      "a URL with a user name or password cannot be fetched",
      reasonOf("address-with-password"),
    );
  return url;
}

/** The address to request. A fragment names a place on the page and is not part of the request. */
export function withoutFragment({ href, hash }: URL): string {
  return href.slice(0, href.length - hash.length);
}

/** Whether a list of hosts, each with or without a port, names the host of `url`. Without a port, all ports are meant. */
export function isNamed(url: URL, hosts: readonly string[]): boolean {
  return hosts.some((entry) => {
    const text = `${url.protocol}//${entry.trim()}`;
    if (!URL.canParse(text)) return false;
    const { hostname, port, href } = new URL(text);
    const anyPort = !/:\d+$/.test(text);
    // An entry with more than a host, such as a path, does not name one.
    if (href !== `${url.protocol}//${hostname}${port === "" ? "" : `:${port}`}/`) return false;
    return hostname === url.hostname && (anyPort || port === url.port);
  });
}
