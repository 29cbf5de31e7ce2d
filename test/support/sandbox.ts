/** Whether this machine has a sandbox for commands. Tests of what it does run where it has; .ci/run installs bubblewrap. */
import { findEngine } from "../../src/node/sandbox/probe.ts";

const { state, program } = await findEngine(process.env, []);

export const hasSandbox = state.engine !== undefined;

/** Path of the engine's program; "": there is none. */
export const sandboxProgram = program;
