/** The pages of a task that no agent runs. */
import { KeyMask } from "../../src/core/key-mask.ts";
import type { Host } from "../../src/core/ports/host.ts";
import { TaskPages } from "../../src/core/task-pages.ts";
import { defaultSettings, type Settings } from "../../src/shared/settings.ts";

export function taskPages(
  host: Pick<Host, "web">,
  { settings = defaultSettings, keys = new KeyMask() }: { settings?: Settings; keys?: KeyMask } = {},
): TaskPages {
  return new TaskPages({ host, settings: () => settings, keys });
}
