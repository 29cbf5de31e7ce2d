/** Pages reach no address on this machine or a private network but those that the user approved, however they try. */

import { createSocket } from "node:dgram";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { ToolError } from "../../../../src/core/errors.ts";
import { heard, launch, site, told } from "./support.ts";

const hidden = { "/secret": "<h1>Secret</h1>" };

describe("another private address", () => {
  it("is not opened by a redirect, a link, a new tab, a form or a script; the page stays", async () => {
    const other = await site(hidden);
    const { origin } = await site({
      "/ways": `<h1>Ways</h1>
        <a href="${other.origin}/secret">Link</a>
        <a href="/to?where=${other.origin}/secret">Redirect</a>
        <a target="_blank" href="${other.origin}/secret">Tab</a>
        <form method="post" action="${other.origin}/secret"><button>Form</button></form>
        <button onclick="location = '${other.origin}/secret'">Script</button>`,
    });
    const ways = await launch(`${origin}/ways`);
    for (const [role, name] of [
      ["link", "Link"],
      ["link", "Redirect"],
      ["button", "Form"],
      ["button", "Script"],
      ["link", "Tab"],
    ] as const) {
      await ways.click(role, name);
      const why = "because it is on this computer or a private network. To visit it, close the browser";
      await heard(ways, "refused", `${other.origin}/secret was not opened, ${why}`);
      if (name !== "Tab") expect(ways.state.title, name).toBe("ways");
    }
    expect(other.requests).toEqual([]);
  });

  it("is not opened by a launch that nobody approved, with the reason", async () => {
    const { origin, requests } = await site();
    const named = (host: string) => origin.replace("127.0.0.1", host);
    for (const url of [`${origin}/`, named("localhost"), named("localhost."), named("a.localhost.")]) {
      const error = await launch(url, { privateHosts: [] }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ToolError);
      expect(String(error)).toContain("it is on this computer or a private network");
    }
    expect(requests).toEqual([]);
  });

  it("is not opened by a redirect from the address that was launched", async () => {
    const other = await site(hidden);
    const { origin } = await site();
    const error = await launch(`${origin}/to?where=${other.origin}/secret`).catch(
      (thrown: unknown) => thrown,
    );
    expect(String(error)).toContain(`${other.origin}/secret was not opened`);
    expect(other.requests).toEqual([]);
  });

  it("gets no request and no connection of a script or a worker, though other ports of this machine do", async () => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      response.writeHead(200, { "access-control-allow-origin": "*" }).end();
    });
    server.on("upgrade", (request, socket) => {
      seen.push(`upgrade ${request.url}`);
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const lan = ownAddress();
    const worker = `fetch("http://${lan}:${port}/worker").catch(() => {})`;
    const { origin } = await site({
      "/try": `<h1>Try</h1><img src="http://${lan}:${port}/image"><button>Again</button><script>
        fetch("http://${lan}:${port}/fetch").catch(() => {});
        new WebSocket("ws://${lan}:${port}/socket").onerror = () => console.log("socket failed");
        new Worker(URL.createObjectURL(new Blob([${JSON.stringify(worker)}])));
        fetch("http://127.0.0.1:${port}/development");
      </script>`,
    });
    const tried = await launch(`${origin}/try`);
    for (const what of ["image", "fetch", "worker"])
      await heard(tried, "refused", `a request to http://${lan}:${port}/${what}, because it is on this`);
    await heard(tried, "console", "socket failed");
    await expect.poll(() => seen).toContain("GET /development");
    expect(seen).toEqual(["GET /development"]);
  });
});

describe("what the network stack itself refuses", () => {
  it("includes WebRTC, which is not judged request by request", async () => {
    const packets: number[] = [];
    const udp = createSocket("udp4").on("message", ({ length }) => packets.push(length));
    await new Promise<void>((resolve) => udp.bind(0, "127.0.0.1", resolve));
    onTestFinished(() => void udp.close());
    let connections = 0;
    const tcp = createTcpServer((socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => tcp.listen(0, resolve));
    onTestFinished(() => void tcp.close());
    const port = (tcp.address() as AddressInfo).port;
    const servers = [`stun:127.0.0.1:${udp.address().port}`, `turn:${ownAddress()}:${port}?transport=tcp`];
    const { origin, requests } = await site({
      "/call": `<h1>Call</h1><script>
        const call = new RTCPeerConnection({ iceServers: ${JSON.stringify(servers)}.map((urls) => ({ urls, username: "a", credential: "b" })) });
        call.createDataChannel("a");
        call.onicegatheringstatechange = () => call.iceGatheringState === "complete" && fetch("/gathered");
        call.createOffer().then((offer) => call.setLocalDescription(offer));
      </script>`,
    });
    await launch(`${origin}/call`);
    await expect.poll(() => requests).toContain("GET /gathered");
    expect({ packets, connections }).toEqual({ packets: [], connections: 0 });
  });

  it("includes other ports of this machine, unless the page is that of a development server", async () => {
    const { port } = new URL((await site()).origin);
    const server = createServer((_, response) =>
      response.end(`<h1>Try</h1><script>
        for (const host of ["localhost", "localhost.", "[::1]", "[::ffff:127.0.0.1]", "127.0.0.1"])
          new WebSocket("ws://" + host + ":${port}/").onerror = () => console.log("failed", host);
      </script>`),
    );
    await new Promise<void>((resolve) => server.listen(0, resolve));
    onTestFinished(() => void server.close());
    const at = `${ownAddress()}:${(server.address() as AddressInfo).port}`;
    const tried = await launch(`http://${at}/`, { privateHosts: [at, "localhost:3000"] });
    await heard(tried, "console", "ERR_NAME_NOT_RESOLVED", 5);
    const failures = told(tried.state, "console").split("ERR_NAME_NOT_RESOLVED").length - 1;
    expect({ at, failures }).toEqual({ at, failures: 5 });
  });
});

/** An address of this machine that is not loopback; without one, an address that belongs to nobody. */
function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "10.255.255.1";
}

describe("a file", () => {
  it("is opened if it may be read, and so are the files that it uses", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "pages-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(path.join(folder, ".env"), "SECRET=meow");
    await writeFile(path.join(folder, "style.css"), "h1 { color: red }");
    const page = path.join(folder, "page.html");
    await writeFile(
      page,
      `<title>File</title><link rel="stylesheet" href="style.css"><h1>File</h1><iframe src=".env"></iframe>`,
    );
    const asked: string[] = [];
    const mayRead = async (file: string) => {
      asked.push(path.basename(file));
      return !file.endsWith(".env");
    };
    const url = pathToFileURL(page).href;
    const { state } = await launch(url, { mayRead });
    expect(state.title).toBe("File");
    expect(asked.sort()).toEqual([".env", "page.html", "style.css"]);
    expect(told(state, "refused")).toContain(
      ".env was not opened, because it is not a file that may be read",
    );
    expect(JSON.stringify(state.elements)).not.toContain("meow");
    const error = await launch(url, { mayRead: async () => false }).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain("not a file that may be read");
  });
});
