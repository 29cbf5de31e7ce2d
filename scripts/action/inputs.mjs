// The inputs of the GitHub Action, which are variables of the environment, as a command line of nekode.
import path from "node:path";
import { Trouble } from "../lib/log.mjs";

/** Inputs that are options of the same name. */
const OPTIONS = [
  ...["base-url", "api", "model", "protocol", "context-window", "mode"],
  ...["approve", "max-requests", "max-cost", "timeout"],
];

/** Those of them that a review accepts. */
const OPTIONS_OF_REVIEW = [
  ...["base-url", "api", "model", "protocol", "context-window", "max-requests", "max-cost", "timeout"],
];

/** Inputs that a review does not accept: it has no task, and only reads. */
const NOT_FOR_REVIEW = [
  ...["task", "data", "data-file", "mode", "permission", "approve", "output-schema", "resume", "answer"],
];

/**
 * @typedef {object} Inputs
 * @property {string[]} args for nekode; the task is on its standard input
 * @property {boolean} isReview
 * @property {string | undefined} task undefined: continues the session in `resume`, or it is a review
 * @property {string} data text that others wrote
 * @property {string} dataFile a file with such text; "": none
 * @property {string} folder the project
 * @property {string} dataDir
 * @property {string} apiKey "": as the environment has it
 */

/**
 * Throws Trouble for inputs that do not fit together. nekode itself checks their values.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Inputs}
 */
export function readInputs(env) {
  /** @type {Input} */
  const input = (name) => env[`INPUT_${name.toUpperCase().replaceAll("-", "_")}`]?.trim() ?? "";
  const workspace = env.GITHUB_WORKSPACE ?? process.cwd();
  /** @param {string} file */
  const inWorkspace = (file) => path.resolve(workspace, file);
  check(input);
  const [task, dataFile, dataDir] = [input("task"), input("data-file"), input("data-dir")];
  return {
    args: argumentsOf(input, inWorkspace),
    isReview: input("review") !== "",
    task: task === "" ? undefined : task,
    data: input("data"),
    dataFile: dataFile === "" ? "" : inWorkspace(dataFile),
    folder: inWorkspace(input("working-directory") || "."),
    dataDir: dataDir === "" ? path.join(env.RUNNER_TEMP ?? workspace, "nekode") : inWorkspace(dataDir),
    apiKey: input("api-key"),
  };
}

/** @typedef {(name: string) => string} Input the value of an input; "": it is not set */

/** @param {Input} input */
function check(input) {
  const [task, resume, answer] = [input("task"), input("resume"), input("answer")];
  if (input("review") !== "") {
    const surplus = NOT_FOR_REVIEW.find((name) => input(name) !== "");
    if (surplus !== undefined) throw new Trouble(`The input review cannot be used with ${surplus}.`);
    return;
  }
  if (task === "" && resume === "")
    throw new Trouble("The action requires the input task, review or resume.");
  if (answer !== "" && (resume === "" || task !== ""))
    throw new Trouble("The input answer requires resume, and no task.");
  if (task === "" && (input("data") !== "" || input("data-file") !== ""))
    throw new Trouble("The inputs data and data-file require a task.");
}

/** @param {Input} input @param {(file: string) => string} inWorkspace */
function argumentsOf(input, inWorkspace) {
  // A value that is an argument of its own would be taken for an option if it begins like one.
  const given = (/** @type {string[]} */ names) =>
    names.flatMap((name) => (input(name) === "" ? [] : [`--${name}=${input(name)}`]));
  if (input("review") !== "") return ["review", `--base=${input("review")}`, ...given(OPTIONS_OF_REVIEW)];
  const options = given(OPTIONS);
  const [permission, schema] = [input("permission"), input("output-schema")];
  // Takes precedence over the runner's configuration.
  if (permission !== "" || input("approve") === "") options.push(`--permission=${permission || "ask"}`);
  if (schema !== "") options.push(`--output-schema=${inWorkspace(schema)}`);
  const [task, resume, answer, shown] = [input("task"), input("resume"), input("answer"), input("shown")];
  if (answer !== "" && shown !== "") options.push(`--shown=${shown}`);
  if (answer !== "") return ["answer", ...options, "--", resume, answer];
  if (resume !== "") options.push(`--resume=${resume}`);
  return task === "" ? options : [...options, "--", "-"];
}
