/** An invalid command line, with the reason; the exit code is 2. */
export class UsageError extends Error {}
