/** fast-check with the seed of this run: tests of properties take it from here, so that none of them draws its own. */
import fc from "fast-check";
import { seedOf } from "./random.ts";

fc.configureGlobal({ seed: seedOf("properties") });

export { fc };
