/** The command line is wrong: exit 2, with what is wrong. */
export class UsageError extends Error {}
