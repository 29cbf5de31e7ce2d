// How the TypeScript compiler, a Go program, takes half of the CPU of its defaults.

/** One checker does no part of another's work. */
export const ONE_CHECKER = ["--checkers", "1"];

/** Garbage is collected when the heap is five times what was left of it, instead of twice: the compiler ends before it needs to. */
export const LATER_COLLECTION = { ...process.env, GOGC: "400" };
