/**
 * What a computer that is managed needs, and others do not. It is a bundle of its own, with copies of all that it imports: so nothing in it
 * throws an error that others recognize by its class, or keeps a state.
 */
export { managedLines } from "./managed-lines.ts";
export { parsePolicy, readPolicy } from "./read-policy.ts";
