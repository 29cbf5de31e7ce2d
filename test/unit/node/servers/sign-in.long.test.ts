/**
 * Windows that share what signing in gave. For `npm test`, sign-in.test.ts proves that a token is refreshed once, and
 * test/unit/node/process-locks.test.ts that processes wait for each other.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createFileSecrets } from "../../../../src/node/store/secret-file.ts";
import { temporaryFolder } from "../support.ts";
import { SECRET, setting } from "./sign-in-support.ts";
import { buildBundle, productFolder } from "./support.ts";

describe("a token", () => {
  it("is refreshed once by two windows at the same moment", async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, "secrets.json");
    const { server, launch, signIn } = await setting(
      {},
      { secrets: createFileSecrets(file), dataDir: folder },
    );
    await signIn();
    server.revokeAccess();
    const host = await buildBundle(
      "cli",
      await productFolder(),
      path.join(import.meta.dirname, "sign-in-host.ts"),
    );
    const windows = [1, 2, 3].map(() =>
      spawn(process.execPath, [host, file, folder, JSON.stringify(launch)], {
        stdio: ["pipe", "pipe", "inherit"],
      }),
    );
    // All of them are ready before the first one begins.
    await Promise.all(
      windows.map(async ({ stdout }) => expect(String((await once(stdout, "data"))[0])).toBe("ready\n")),
    );
    const ends = windows.map(async (window) => {
      window.stdin.end("go\n");
      const [said] = await once(window.stdout, "data");
      return String(said);
    });
    expect(await Promise.all(ends)).toEqual(Array.from({ length: 3 }, () => `${JSON.stringify([SECRET])}\n`));
    expect(server.requests.filter(({ body }) => body.includes("grant_type=refresh_token"))).toHaveLength(1);
  });
});
