/**
 * The files of plans that the user opened in an editor, in the data folder: one file a plan, which the user may change, and beside it
 * their comments on its lines. A revision of a plan is a plan of its own, so that its file replaces nothing.
 */
import { planTitle } from "../../shared/plan-document.ts";
import * as z from "../../shared/zod.ts";
import { sha256 } from "../bytes.ts";
import type { Storage } from "../ports/storage.ts";

/** In the store's folder. */
export const PLANS_FOLDER = "plans";

/** Bytes of a plan that the user changed, and of the file with their comments. */
const MAX_BYTES = 1_000_000;
/** Characters of a title in a file's name. */
const MAX_NAME = 40;

const commentSchema = z.object({
  /** 0-based, when the user wrote the comment. */
  line: z.int().check(z.nonnegative()),
  /** The line, which may have moved since. */
  quote: z.string(),
  text: z.string(),
});
export type PlanComment = z.infer<typeof commentSchema>;
const commentsSchema = z.array(commentSchema).check(z.maxLength(1_000));

/** The call of a session that presented a plan. */
export interface PlanKey {
  session: string;
  callId: string;
}

export class PlanDocuments {
  readonly #storage: Storage;
  readonly #unsaved: (name: string) => string | undefined;

  /** `unsaved`: the text of a file, by its name in the store, that the user changed in an editor and has not saved. */
  constructor(storage: Storage, unsaved: (name: string) => string | undefined = () => undefined) {
    this.#storage = storage;
    this.#unsaved = unsaved;
  }

  /** The plan as the user changed it; undefined: they did not open it. Rejects if it is too large. */
  async text(key: PlanKey): Promise<string | undefined> {
    const name = await this.#find(key);
    if (name === undefined) return undefined;
    return this.#unsaved(name) ?? this.#read(name);
  }

  /** Whether the file with this name in the store is that of the plan. */
  async isOf(name: string, key: PlanKey): Promise<boolean> {
    return name.startsWith(`${folderOf(key)}/`) && name.endsWith(`-${await suffixOf(key)}.md`);
  }

  /** The name, in the store, of the plan's file, which is created if the user opens it for the first time. */
  async open(key: PlanKey, text: string): Promise<string> {
    const found = await this.#find(key);
    if (found !== undefined) return found;
    const name = `${folderOf(key)}/plan${slugOf(planTitle(text) ?? "")}-${await suffixOf(key)}.md`;
    await this.#storage.replace(name, new TextEncoder().encode(text));
    return name;
  }

  /** The user's comments on the plan. Comments that cannot be read are none. */
  async comments(key: PlanKey): Promise<PlanComment[]> {
    const text = await this.#read(await commentsName(key));
    try {
      return commentsSchema.parse(JSON.parse(text ?? "[]"));
    } catch {
      return [];
    }
  }

  async setComments(key: PlanKey, comments: readonly PlanComment[]): Promise<void> {
    const name = await commentsName(key);
    if (comments.length === 0) return this.#storage.remove(name);
    await this.#storage.replace(
      name,
      new TextEncoder().encode(JSON.stringify(commentsSchema.parse(comments))),
    );
  }

  /** Removes the files of a session that is deleted. */
  async forget(session: string): Promise<void> {
    const folder = `${PLANS_FOLDER}/${session}`;
    for (const name of await this.#storage.list(folder)) await this.#storage.remove(`${folder}/${name}`);
  }

  async #find(key: PlanKey): Promise<string | undefined> {
    const end = `-${await suffixOf(key)}.md`;
    const name = (await this.#storage.list(folderOf(key))).find((each) => each.endsWith(end));
    return name === undefined ? undefined : `${folderOf(key)}/${name}`;
  }

  async #read(name: string): Promise<string | undefined> {
    const size = (await this.#storage.stat(name))?.size ?? 0;
    if (size > MAX_BYTES) throw new Error(`${name} has more than ${MAX_BYTES} bytes`);
    const bytes = await this.#storage.read(name);
    return bytes && new TextDecoder().decode(bytes);
  }
}

function folderOf({ session }: PlanKey): string {
  return `${PLANS_FOLDER}/${session}`;
}

async function commentsName(key: PlanKey): Promise<string> {
  return `${folderOf(key)}/comments-${await suffixOf(key)}.json`;
}

/** The model chooses the ids of calls, so they are no names of files. */
async function suffixOf({ callId }: PlanKey): Promise<string> {
  return (await sha256(new TextEncoder().encode(callId))).slice(0, 8);
}

function slugOf(title: string): string {
  const words = title.normalize("NFC").match(/[\p{L}\p{N}]+/gu) ?? [];
  const slug = [...words.join("-").toLowerCase()].slice(0, MAX_NAME).join("").replace(/-$/, "");
  return slug === "" ? "" : `-${slug}`;
}
