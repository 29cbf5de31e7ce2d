/** Pages reach no address on this machine or a private network but those that the user approved, however they try. */

import { createSocket } from "node:dgram";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { ToolError } from "../../../../src/core/errors.ts";
import type { SmallSite } from "../../../support/small-site.ts";
import { startSmallSite } from "../../../support/small-site.ts";
import { heard, hidden, launch, ownAddress, sharedSite, site, told } from "./support.ts";

describe("another private address", () => {
  let other: SmallSite;
  /** Requests to a server on every address of this machine. */
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    response.writeHead(200, { "access-control-allow-origin": "*" }).end();
  });
  server.on("upgrade", (request, socket) => {
    seen.push(`upgrade ${request.url}`);
    socket.destroy();
  });
  const packets: number[] = [];
  const udp = createSocket("udp4").on("message", ({ length }) => packets.push(length));
  let connections = 0;
  const tcp = createTcpServer((socket) => {
    connections++;
    socket.destroy();
  });
  const lan = ownAddress();
  let port = 0;

  const shared = sharedSite(async () => {
    other = await startSmallSite(hidden);
    await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
    await new Promise<void>((resolve) => udp.bind(0, "127.0.0.1", resolve));
    await new Promise<void>((resolve) => tcp.listen(0, resolve));
    port = (server.address() as AddressInfo).port;
    const worker = `fetch("http://${lan}:${port}/worker").catch(() => {})`;
    const stun = `stun:127.0.0.1:${udp.address().port}`;
    const turn = `turn:${lan}:${(tcp.address() as AddressInfo).port}?transport=tcp`;
    return {
      "/ways": `<h1>Ways</h1>
        <a href="${other.origin}/secret">Link</a>
        <a href="/to?where=${other.origin}/secret">Redirect</a>
        <a target="_blank" href="${other.origin}/secret">Tab</a>
        <form method="post" action="${other.origin}/secret"><button>Form</button></form>
        <button onclick="location = '${other.origin}/secret'">Script</button>`,
      "/try": `<h1>Try</h1><img src="http://${lan}:${port}/image"><button>Again</button><script>
        fetch("http://${lan}:${port}/fetch").catch(() => {});
        new WebSocket("ws://${lan}:${port}/socket").onerror = () => console.log("socket failed");
        new Worker(URL.createObjectURL(new Blob([${JSON.stringify(worker)}])));
        fetch("http://127.0.0.1:${port}/development");
      </script>`,
      "/call": `<h1>Call</h1><script>
        const call = new RTCPeerConnection({ iceServers: ${JSON.stringify([stun, turn])}.map((urls) => ({ urls, username: "a", credential: "b" })) });
        call.createDataChannel("a");
        call.onicegatheringstatechange = () => call.iceGatheringState === "complete" && fetch("/gathered");
        call.createOffer().then((offer) => call.setLocalDescription(offer));
      </script>`,
    };
  });
  afterAll(async () => {
    server.close();
    udp.close();
    tcp.close();
    await other.close();
  });

  it("is not opened by a redirect, a link, a new tab, a form or a script; the page stays", async () => {
    const ways = await shared.visit("/ways");
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

  it("gets no request and no connection of a script or a worker, though other ports of this machine do", async () => {
    const tried = await shared.visit("/try");
    for (const what of ["image", "fetch", "worker"])
      await heard(tried, "refused", `a request to http://${lan}:${port}/${what}, because it is on this`);
    await heard(tried, "console", "socket failed");
    await expect.poll(() => seen).toContain("GET /development");
    expect(seen).toEqual(["GET /development"]);
  });

  // The network stack itself refuses these: they are not judged request by request.
  it("gets no packet and no connection of a WebRTC call", async () => {
    await shared.visit("/call");
    await expect.poll(() => shared.site.requests).toContain("GET /gathered");
    expect({ packets, connections }).toEqual({ packets: [], connections: 0 });
  });

  it("is not opened by a launch that nobody approved, with the reason", async () => {
    const { origin, requests } = await site();
    const error = await launch(`${origin}/`, { privateHosts: [] }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ToolError);
    expect(String(error)).toContain("it is on this computer or a private network");
    expect(requests).toEqual([]);
  });
});

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
    const { state } = await launch(pathToFileURL(page).href, { mayRead });
    expect(state.title).toBe("File");
    expect(asked.sort()).toEqual([".env", "page.html", "style.css"]);
    expect(told(state, "refused")).toContain(
      ".env was not opened, because it is not a file that may be read",
    );
    expect(JSON.stringify(state.elements)).not.toContain("meow");
  });
});
