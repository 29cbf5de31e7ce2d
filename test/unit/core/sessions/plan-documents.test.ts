/** The files of plans: their names, what the user made of them, and that they end with their session. */
import { expect, it } from "vitest";
import { PlanDocuments } from "../../../../src/core/sessions/plan-documents.ts";
import { MemoryStorage } from "./support.ts";

const key = (callId: string, session = "s") => ({ session, callId });

it("has one file a plan, whose name comes from the title and holds nothing else", async () => {
  const documents = new PlanDocuments(new MemoryStorage());
  const name = await documents.open(key("../../etc/passwd"), "# ../../Paint the Cat: 猫\n");
  expect(name).toMatch(/^plans\/s\/plan-paint-the-cat-猫-[0-9a-f]{8}\.md$/);
  expect(await documents.open(key("../../etc/passwd"), "# Other")).toBe(name);
  expect(await documents.open(key("b"), `# ${"x".repeat(500)}`)).toMatch(
    /^plans\/s\/plan-x{40}-[0-9a-f]{8}\.md$/,
  );
  expect(await documents.open(key("c"), "# ///")).toMatch(/^plans\/s\/plan-[0-9a-f]{8}\.md$/);
});

it("returns what the user changed, unsaved text first, and rejects what is too large", async () => {
  const storage = new MemoryStorage();
  let unsaved: string | undefined;
  const documents = new PlanDocuments(storage, () => unsaved);
  expect(await documents.text(key("a"))).toBeUndefined();
  const name = await documents.open(key("a"), "# A");
  expect(await documents.text(key("a"))).toBe("# A");
  unsaved = "# B";
  expect(await documents.text(key("a"))).toBe("# B");
  unsaved = undefined;
  await storage.replace(name, new Uint8Array(10_000_000));
  await expect(documents.text(key("a"))).rejects.toThrow("bytes");
});

it("keeps comments until they are removed, and damaged ones are none", async () => {
  const storage = new MemoryStorage();
  const comments = [{ line: 2, quote: "- [ ] x", text: "why?" }];
  await new PlanDocuments(storage).setComments(key("a"), comments);
  const documents = new PlanDocuments(storage);
  expect(await documents.comments(key("a"))).toEqual(comments);
  expect(await documents.comments(key("b"))).toEqual([]);
  const [name = ""] = await storage.list("plans/s");
  await storage.replace(`plans/s/${name}`, new TextEncoder().encode('[{"line":-1}]'));
  expect(await documents.comments(key("a"))).toEqual([]);
  await documents.setComments(key("a"), []);
  expect(await storage.list("plans/s")).toEqual([]);
});

it("removes the files with the session", async () => {
  const storage = new MemoryStorage();
  const documents = new PlanDocuments(storage);
  await documents.open(key("a"), "# A");
  await documents.setComments(key("a"), [{ line: 0, quote: "", text: "x" }]);
  await documents.open(key("a", "other"), "# A");
  await documents.forget("s");
  expect(await storage.list("plans/s")).toEqual([]);
  expect(await storage.list("plans/other")).toHaveLength(1);
});
