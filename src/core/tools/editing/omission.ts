/** A new file with a line that may stand for omitted code: only the user can know. */
import { reasonOf } from "../../../shared/reason.ts";
import type { Elision } from "../../edits/blocks/elision.ts";
import type { Invocation } from "../tool.ts";

/** Makes an invocation ask, with the line as the reason. */
export function omissionDoubt({ line, text }: Elision): Pick<Invocation, "alwaysAsks" | "doubt"> {
  return { alwaysAsks: true, doubt: reasonOf("may-omit-code", String(line), text) };
}
