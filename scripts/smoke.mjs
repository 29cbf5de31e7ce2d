// npm run smoke: installs dist/nekode-cli-VERSION.tgz into a folder of its own and runs it.
import { runMain } from "./lib/log.mjs";
import { smoke } from "./lib/release.mjs";

await runMain(() => smoke());
