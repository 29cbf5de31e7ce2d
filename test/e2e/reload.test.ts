/**
 * A window that is reloaded, or whose extension host dies, while a task is at work: what is seen, and how it goes on. The second tier
 * plays both at each phase.
 */
import { it } from "vitest";
import { cutAtApproval, cutInMidStream, inCutWindow, kill, reload } from "./support/cut-tasks.ts";

inCutWindow();

it("in mid-stream, a reload: said, and gone on with at a press", () => cutInMidStream(reload));

it("while an approval waits, a kill of the extension host: it asks again", () => cutAtApproval(kill));
