/** What the user took over from other agents, so that it can be undone. Nothing in it is secret: what may be one was never copied. */
import { type SettingProposal, settingProposalSchema } from "../../shared/setting-proposals.ts";
import * as z from "../../shared/zod.ts";
import type { Storage } from "../ports/storage.ts";
import type { Log } from "../ports/system.ts";
import { RecordFile } from "../record-file.ts";
import type { SettingWrite } from "./propose.ts";

const texts = z.array(z.string());
const writeSchema: z.ZodMiniType<SettingWrite> = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("server"),
    name: z.string(),
    entry: z.record(
      z.string(),
      z.union([z.string(), z.number(), z.boolean(), texts, z.record(z.string(), z.string())]),
    ),
    inputs: z.array(z.record(z.string(), z.union([z.string(), z.boolean(), texts]))),
  }),
  z.object({
    type: z.literal("file"),
    folder: z.enum(["agents", "rules"]),
    name: z.string().check(z.regex(/^[^/\\]+$/)),
    text: z.string(),
  }),
  z.object({ type: z.literal("command"), list: z.enum(["allow", "deny"]), entry: z.string() }),
  z.object({ type: z.literal("model"), name: z.string() }),
]);

const takenSchema = z.object({ proposal: settingProposalSchema, write: writeSchema });
export type TakenSetting = z.infer<typeof takenSchema>;

const fileSchema = z.object({ version: z.literal(1), taken: z.array(takenSchema) });

export class TakenSettings {
  readonly #file: RecordFile<z.infer<typeof fileSchema>>;

  /** `storage`: a folder of the user's that is used for nothing else. */
  constructor(storage: Storage, log: Log) {
    this.#file = new RecordFile(storage, log, {
      name: "taken-settings.json",
      schema: fileSchema,
      empty: () => ({ version: 1, taken: [] }),
      records: "the settings that were taken over from other agents",
      loss: "taking them over can no longer be undone",
    });
  }

  async all(): Promise<readonly TakenSetting[]> {
    return (await this.#file.read()).taken;
  }

  add(proposal: SettingProposal, write: SettingWrite): Promise<void> {
    return this.#file.change((content) => {
      const others = content.taken.filter((each) => each.proposal.key !== proposal.key);
      content.taken = [...others, { proposal: { ...proposal, state: "taken" }, write }];
    });
  }

  remove(key: string): Promise<void> {
    return this.#file.change((content) => {
      content.taken = content.taken.filter((each) => each.proposal.key !== key);
    });
  }
}
