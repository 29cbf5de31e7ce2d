/** V8's flags for the terminal host. V8 uses compiled code only with the flags that it was compiled with. */

/**
 * V8 optimizes a function of JavaScript once it has run often: in Node 20, this many bytes of its code, later this many calls of it. By
 * default, a fifth of each. A task waits for models, disks and commands, and its functions are optimized for longer than they then run.
 */
export const LATE_OPTIMIZATION: readonly string[] = process.versions.node.startsWith("20.")
  ? ["--interrupt-budget=600000"]
  : [
      "--invocation-count-for-maglev=2000",
      "--invocation-count-for-maglev-osr=500",
      "--invocation-count-for-turbofan=15000",
      "--invocation-count-for-osr=2500",
    ];

/** In the form that `setFlagsFromString` takes. V8 prints an error for one that it does not know. */
export const V8_FLAGS: readonly string[] = [
  // V8 would optimize the grammar of shell commands with the first command, for longer than all commands of a session take without
  // it, and the process could not end before: up to seven seconds for PowerShell's. SQLite is as fast without it.
  "--liftoff-only",
  // Node 24 goes on to do so with that flag alone, unless a function has run this many bytes: more than a task does.
  "--wasm-tiering-budget=2000000000",
  ...LATE_OPTIMIZATION,
  // To wake threads for a collection of a few megabytes takes longer than they then save, and each copies to memory of its own.
  "--no-parallel-scavenge",
  // V8 would begin to mark as soon as WebAssembly and the program have allocated their memory, but a short run keeps nearly all
  // of it until it ends.
  "--no-incremental-marking",
];
