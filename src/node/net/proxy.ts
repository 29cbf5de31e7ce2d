/** Chooses the proxy for an address from environment variables, as curl does. */

/** undefined: no proxy. This machine itself is never accessed through a proxy. */
export function proxyFor(url: URL, environment: NodeJS.ProcessEnv): URL | undefined {
  const named = (name: string) => environment[name.toLowerCase()] || environment[name] || "";
  if (isLocal(url.hostname) || isExempt(url, named("NO_PROXY"))) return undefined;
  const text = named(url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY") || named("ALL_PROXY");
  return text === "" ? undefined : proxyUrl(text);
}

/** Reads the address of a proxy. Throws TypeError if it cannot be used. */
export function proxyUrl(text: string): URL {
  const whole = text.includes("://") ? text : `http://${text}`;
  if (!URL.canParse(whole)) throw new TypeError(`the proxy in the environment is not a valid URL: ${text}`);
  const proxy = new URL(whole);
  if (proxy.protocol !== "http:" && proxy.protocol !== "https:")
    throw new TypeError(`proxies of the kind ${proxy.protocol}// are not supported`);
  return proxy;
}

/** Whether the host of a URL is this machine by its form. A dot at the end of a name means the same name. */
export function isLocal(host: string): boolean {
  const name = host.replace(/\.$/, "");
  return name === "localhost" || name.endsWith(".localhost") || /^(?:127\.[\d.]+|\[::1\])$/.test(name);
}

function isExempt(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === "*") return true;
    const [, name = "", only = port] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(entry) ?? [];
    const suffix = name.replace(/^\*?\./, "");
    return suffix !== "" && only === port && (host === suffix || host.endsWith(`.${suffix}`));
  });
}
