/** Reading a git repository. */
import type { TextBounds } from "./text-bounds.ts";

/** What git says of the repository that a folder is in. Rejects with ToolError where there is none. */
export interface Git {
  /** Branch, status, and the difference of the working tree to the last commit. */
  workingState(folder: string, bounds: TextBounds): Promise<string>;
  /** Message, author, files and difference of one commit. */
  commit(folder: string, hash: string, bounds: TextBounds): Promise<string>;
  /**
   * What a reading command of git's prints in this folder, by the configuration and the environment that a command of the
   * user's has; none of the programs that these name is started. "" where a search finds nothing, undefined where git
   * ends because there is no such revision or path. Rejects on every other failure, and where it prints more than the limit.
   */
  ask(
    folder: string,
    args: readonly string[],
    bounds: TextBounds,
    input?: string,
  ): Promise<string | undefined>;
  /** A variable of the environment by which git takes another repository than that of the folder; undefined: none is set. */
  readonly steeredBy: string | undefined;
  /** The newest commits whose subject or hash contains `query`. */
  commits(
    folder: string,
    query: string,
    bounds: TextBounds,
  ): Promise<{ hash: string; subject: string; date: string }[]>;
}
