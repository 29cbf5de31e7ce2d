/**
 * How many bytes the requests of two other agents have beyond what a script consists of. The numbers were measured by letting both
 * work with a played model that answers with one call of each kind; each request of theirs began with the one before it.
 */

/** What one step adds to the next request beyond its own texts: the call, its result, and the field names around both. */
interface StepBytes {
  read: number;
  search: number;
  edit: number;
  write: number;
  command: number;
}

export interface PeerShape {
  name: string;
  /** Instructions, tools and everything else that the first request contains beside the task. */
  fixed: number;
  /** Around the text of a message of the user's or the model's. */
  message: number;
  step: StepBytes;
  /** Added where a command prints nothing, or ends with an error. */
  silent: number;
  failed: number;
  /** How often the result of an edit repeats the path. */
  editPaths: number;
  /** The sign before each line of an edit. */
  editLine: number;
  /** Bytes of a result after which it is cut, and the notice that says so. */
  most: number;
  cutNotice: number;
}

export const PEERS: readonly PeerShape[] = [
  {
    name: "Codex 0.171",
    fixed: 38_981,
    message: 106,
    step: { read: 423, search: 423, edit: 533, write: 533, command: 423 },
    silent: 0,
    failed: 0,
    editPaths: 1,
    editLine: 1,
    most: 10_000,
    cutNotice: 110,
  },
  {
    name: "pi 0.87.1",
    fixed: 5_546,
    message: 34,
    step: { read: 193, search: 196, edit: 278, write: 236, command: 196 },
    silent: 11,
    failed: 31,
    editPaths: 1,
    editLine: 0,
    most: 51_200,
    cutNotice: 120,
  },
];
