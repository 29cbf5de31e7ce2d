/** Ports for programs that cannot choose one themselves, or that must have the same one again. */
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ports that systems give out by themselves (from 32,768 or 49,152): while nothing listens at one of these, no
 * connection and no other server gets it.
 */
const FIRST = 15_000;
const COUNT = 16_000;
/** A process that looks at the same time begins elsewhere. */
let next = (process.pid * 97) % COUNT;

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < COUNT; tries++) {
    const port = FIRST + next;
    next = (next + 1) % COUNT;
    if (await isFree(port)) return port;
  }
  throw new Error("no port is free");
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
