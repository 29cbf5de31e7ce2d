/** Files that are dropped or pasted with their contents, because a page does not learn their paths. */
import { GIVEN_LIMIT, type Result } from "../../src/shared/protocol.ts";
import type { Translate } from "../../src/shared/words/task-words.ts";
import type { Actions } from "../actions.ts";

/** Hands the files to the host, one at a time. Never rejects. */
export async function giveFiles(
  files: readonly File[],
  actions: Pick<Actions, "ask">,
  t: Translate,
): Promise<Result<"files/give">> {
  const mentions: string[] = [];
  const problems: string[] = [];
  for (const file of files) {
    if (file.size > GIVEN_LIMIT) {
      const limit = GIVEN_LIMIT / 1_000_000;
      problems.push(
        t(
          "{0} is larger than {1} MB. Choose it with the button, so that the agent reads it in parts.",
          file.name,
          limit,
        ),
      );
      continue;
    }
    const data = await base64Of(file);
    if (data === undefined) {
      problems.push(t("{0} cannot be read. To add a folder, drag it from the Explorer.", file.name));
      continue;
    }
    const given = await actions.ask("files/give", { name: file.name, data });
    mentions.push(...(given?.mentions ?? []));
    problems.push(...(given?.problems ?? []));
  }
  return { mentions, problems };
}

/** undefined: the browser cannot read it, as it is with a folder. */
async function base64Of(file: File): Promise<string | undefined> {
  const reader = new FileReader();
  const url = await new Promise<string | undefined>((resolve) => {
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => resolve(undefined);
    reader.readAsDataURL(file);
  });
  return url?.slice(url.indexOf(",") + 1);
}
