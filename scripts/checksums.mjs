// npm run checksums: dist/SHA256SUMS, of the files of a release.
import { runMain } from "./lib/log.mjs";

await runMain(async () => {
  const { writeChecksums } = await import("./lib/checksums.mjs");
  await writeChecksums();
});
