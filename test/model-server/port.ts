import { once } from "node:events";
import type { Server } from "node:http";

const had = new Set<number>();

/**
 * Listens on the loopback address, at a port that no earlier server of this process used, and resolves with it: the
 * product remembers what it learns about an endpoint by address, and the system may reuse a free port.
 */
export async function listenAnew(server: Server): Promise<number> {
  for (;;) {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("the server has no port");
    if (!had.has(address.port)) {
      had.add(address.port);
      return address.port;
    }
    server.close();
    await once(server, "close");
  }
}
