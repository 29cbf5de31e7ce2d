/** A small website on loopback: it signs people in, takes an order, and has pages that misbehave in known ways. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { answered } from "./answered.ts";

export interface SmallSite {
  /** Without a slash at the end. */
  origin: string;
  /** Requests so far, as `GET /path`. */
  readonly requests: string[];
  close(): Promise<void>;
}

const SIGN_IN = `<h1>Cat shop</h1>
<form method="post" action="/sign-in">
  <label>Name <input name="name"></label>
  <label>Password <input name="password" type="password"></label>
  <button>Sign in</button>
</form>`;

const ORDER = (name: string) => `<h1>Welcome, ${name}</h1>
<form method="post" action="/order">
  <label>Cat <select name="cat"><option>Momo</option><option>Tama</option></select></label>
  <label><input type="checkbox" name="gift"> As a gift</label>
  <label>Message <textarea name="message"></textarea></label>
  <button>Order</button>
</form>`;

/** By path: what is between the tags of their bodies. */
export const PAGES: Readonly<Record<string, string>> = {
  "/": SIGN_IN,
  "/broken": `<h1>Broken</h1><button id="go">Load</button><script>
    console.log("ready", 42);
    document.getElementById("go").addEventListener("click", async () => {
      await fetch("/missing?cat=1");
      undefinedFunction();
    });
  </script>`,
  "/dialogs": `<h1>Dialogs</h1><p id="told">none</p>
    <button onclick="alert('Meow'); told.textContent = 'alerted'">Alert</button>
    <button onclick="told.textContent = 'confirmed ' + confirm('Sure?')">Confirm</button>
    <button onclick="told.textContent = 'prompted ' + prompt('Name?')">Prompt</button>
    <a href="/leave">Leaving</a>`,
  "/leave": `<h1>Form</h1><input id="i" aria-label="Note"><a href="/second">Away</a><script>
    addEventListener("beforeunload", (event) => event.preventDefault());
  </script>`,
  "/download": `<h1>Files</h1><a href="/cats.zip">Download cats</a>`,
  "/tabs": `<h1>Tabs</h1><a target="_blank" href="/second">Open another</a>`,
  "/second": `<h1>Second page</h1><button onclick="window.close()">Close me</button>`,
  "/long": `<h1>Top</h1><div style="height:2000px"></div><button>At the end</button>`,
  "/hang": `<h1>Hang</h1><button onclick="for(;;);">Hang</button>`,
  "/frame": `<h1>Outside</h1><iframe title="Inside" src="/second" style="margin:50px"></iframe>`,
};

export async function startSmallSite(more: Record<string, string> = {}): Promise<SmallSite> {
  const pages = { ...PAGES, ...more };
  const requests: string[] = [];
  const server = createServer(
    answered((request, response, body) => {
      requests.push(`${request.method} ${request.url}`);
      answer(request, response, body, pages);
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  sent: string,
  pages: Record<string, string>,
): void {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://site");
  const form = new URLSearchParams(sent);
  const html = (title: string, body: string, status = 200) =>
    response
      .writeHead(status, { "content-type": "text/html; charset=utf-8" })
      .end(`<!doctype html><title>${title}</title><body>${body}`);
  const name = /name=(\w+)/.exec(request.headers.cookie ?? "")?.[1];
  const page = pages[pathname];
  if (pathname === "/sign-in") {
    if (form.get("password") !== "meow")
      return void html("Cat shop", `<p role="alert">Wrong password</p>${SIGN_IN}`);
    response.writeHead(303, { location: "/home", "set-cookie": `name=${form.get("name")}; HttpOnly` }).end();
  } else if (pathname === "/home") html(name ? "Home" : "Signed out", name ? ORDER(name) : "Sign in first");
  else if (pathname === "/order") {
    const gift = form.get("gift") === "on" ? " as a gift" : "";
    html("Ordered", `<h1>${name} ordered ${form.get("cat")}${gift}</h1><p>${form.get("message")}</p>`);
  } else if (pathname === "/to")
    response.writeHead(302, { location: searchParams.get("where") ?? "/" }).end();
  else if (pathname === "/cats.zip") {
    response.writeHead(200, { "content-disposition": 'attachment; filename="cats.zip"' }).end("cats");
  } else if (page !== undefined) html(pathname === "/" ? "Cat shop" : pathname.slice(1), page);
  else html("Not found", "Nothing is here", 404);
}
