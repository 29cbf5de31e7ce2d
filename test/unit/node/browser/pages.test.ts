/** What the browser port does with real pages in the real browser, and that they reach no private address which the user did not approve. */
import { createSocket } from "node:dgram";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import { imageSize } from "../../../../src/core/image-facts.ts";
import { type SmallSite, startSmallSite } from "../../../support/small-site.ts";
import { browsersOf, profilesOf } from "./life-support.ts";
import { elementOf, heard, hidden, ownAddress, sharedSite, told, VIEWPORT } from "./support.ts";

const { signal } = new AbortController();

// All in one browser, which is closed by the last test.
describe("a page", () => {
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

  const more = async () => {
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
  };
  const shared = sharedSite(more);
  afterAll(async () => {
    server.close();
    udp.close();
    tcp.close();
    await other.close();
  });

  it("is shown as it is in the window, with what lies outside of it counted", async () => {
    const { page, state } = await shared.visit("/long");
    expect(imageSize(state.screenshot.data)).toEqual(VIEWPORT);
    expect(state.screenshot.mimeType).toBe("image/jpeg");
    expect(state.elements.map(({ name }) => name)).toEqual(["Top"]);
    // A button, and the link to all pages.
    expect(state.more).toEqual({ inView: 0, above: 0, below: 2 });
    expect(state.scroll).toMatchObject({ top: 0 });
    const down = await page.act({ type: "scroll", direction: "down" }, signal);
    expect(down.scroll.top).toBe(600);
    for (let n = 0; n < 3; n++) await page.act({ type: "scroll", direction: "down" }, signal);
    const end = await page.act({ type: "scroll", direction: "down" }, signal);
    expect(elementOf(end, "button", "At the end").y).toBeLessThan(600);
    expect(end.more.above).toBe(1);
    expect((await page.act({ type: "scroll", direction: "up" }, signal)).scroll.top).toBe(
      end.scroll.top - 600,
    );
    // Where the link to all pages is in view.
    shared.opened.state = await page.act({ type: "scroll", direction: "down" }, signal);
  });

  it("reports what its scripts log and throw, and requests that fail, once each", async () => {
    const { origin } = shared.site;
    const broken = await shared.visit("/broken");
    expect(told(broken.state, "console")).toBe(`log: ready 42 (${origin}/broken:2)`);
    await broken.click("button", "Load");
    await heard(broken, "console", "ReferenceError");
    const { state } = broken;
    expect(told(state, "console")).toMatch(/^uncaught ReferenceError: undefinedFunction is not defined/);
    expect(told(state, "network")).toBe(`GET ${origin}/missing?cat=1: 404 Not Found`);
    expect((await broken.click("heading", "Broken")).events).toEqual([]);
  });

  it("downloads nothing", async () => {
    const files = await shared.visit("/download");
    const state = await files.click("link", "Download cats");
    expect(told(state, "page")).toContain(
      `a download was refused: cats.zip from ${shared.site.origin}/cats.zip`,
    );
    expect(state.title).toBe("download");
  });

  describe("with ways to another private address", () => {
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
  });

  // Its last page leads nowhere.
  it("is signed in to, and a form of it is filled in", async () => {
    const { origin } = shared.site;
    const shop = await shared.visit("/");
    expect(shop.state).toMatchObject({ url: `${origin}/`, title: "Cat shop", events: [], moreEvents: 0 });
    expect(elementOf(shop.state, "heading", "Cat shop").states).toEqual(["level 1"]);
    await shop.click("textbox", "Name");
    await shop.type("Mia");
    await shop.click("textbox", "Password");
    await shop.type("meow\n");
    expect(shop.state).toMatchObject({ url: `${origin}/home`, title: "Home" });
    await shop.click("checkbox", "As a gift");
    expect(elementOf(shop.state, "checkbox", "As a gift").states).toContain("checked");
    await shop.click("textbox", "Message");
    const typed = await shop.type("ねこ please, 猫が好き");
    expect(elementOf(typed, "textbox", "Message")).toMatchObject({
      value: "ねこ please, 猫が好き",
      states: ["focused"],
    });
    const ordered = await shop.click("button", "Order");
    expect(ordered.title).toBe("Ordered");
    expect(ordered.text).toBe("Mia ordered Momo as a gift\n\nねこ please, 猫が好き");
    expect(shop.page.url).toBe(`${origin}/order`);
  });

  it("that is closed leaves no process and no profile", async () => {
    expect(browsersOf(process.pid).length).toBeGreaterThan(1);
    expect(profilesOf(process.pid)).toHaveLength(1);
    const { page } = shared.opened;
    await page.close();
    expect(page.isOpen).toBe(false);
    expect(profilesOf(process.pid)).toEqual([]);
    await expect.poll(() => browsersOf(process.pid)).toEqual([]);
  });
});
