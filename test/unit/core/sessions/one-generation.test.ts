/** A store as versions wrote it that kept one generation before and no mirrors with it, packs and open journals included. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { SessionStore } from "../../../../src/core/sessions/session-store.ts";
import { openSessionStore } from "../../../../src/core/sessions/store.ts";
import { NO_PERMISSION } from "../../../../src/shared/permission/session-permission.ts";
import { assets, clockAt, closeWritten, MemoryStorage, quietLog, userMessage } from "./support.ts";

const FIXTURE = path.resolve(import.meta.dirname, "../../../fixtures/sessions/one-generation.json.gz");
const { files, seen: written } = z
  .object({
    files: z.record(z.string(), z.string()),
    seen: z.record(z.string(), z.record(z.string(), z.unknown())),
  })
  .parse(JSON.parse(gunzipSync(readFileSync(FIXTURE)).toString()));

/** As the store reads them now: nothing was decided about approvals. */
const seen = Object.fromEntries(
  Object.entries(written).map(([id, session]) => [id, { ...session, permission: NO_PERMISSION }]),
);

function stored(): MemoryStorage {
  const storage = new MemoryStorage();
  for (const [name, base64] of Object.entries(files))
    storage.put(name, Uint8Array.from(Buffer.from(base64, "base64")));
  return storage;
}

const open = (storage: MemoryStorage) => openSessionStore(storage, assets, clockAt(), quietLog);

async function seenIn(store: SessionStore): Promise<Record<string, unknown>> {
  const sessions: Record<string, unknown> = {};
  for (const { id } of await store.list()) sessions[id] = await store.load(id);
  return JSON.parse(JSON.stringify(sessions));
}

describe("a store of which one generation before is kept", () => {
  it("is read whole, goes on, and is kept as all stores are", async () => {
    const storage = stored();
    const store = await open(storage);
    expect(Object.keys(seen)).toHaveLength(13);
    expect(await seenIn(store)).toEqual(seen);
    expect([...(await store.startedCalls("session-3"))]).toEqual(["call"]);
    for (const turn of [1, 2, 3]) {
      await store.append("session-12", userMessage(`on ${turn}`));
      await store.checkpoint();
    }
    expect(store.problems).toEqual([]);
    const after = await seenIn(store);
    await closeWritten(store);
    for (const name of [
      "sessions.db",
      storage.names("previous").filter((file) => file.endsWith(".db"))[1] ?? "",
    ])
      storage.files.delete(name);
    const again = await open(storage);
    expect(await seenIn(again)).toEqual(after);
    expect(again.problems).toEqual([{ code: "database-restored", detail: "missing" }]);
  });

  it("is given back where its database is damaged, and where that happens after the next checkpoint", async () => {
    const storage = stored();
    storage.put("sessions.db", new Uint8Array(5000));
    const store = await open(storage);
    expect(store.problems).toEqual([{ code: "database-restored", detail: "checksum" }]);
    expect(await seenIn(store)).toEqual(seen);
    await closeWritten(store);
    storage.put("sessions.db", new Uint8Array(5000));
    expect(await seenIn(await open(storage))).toEqual(seen);
  });
});
