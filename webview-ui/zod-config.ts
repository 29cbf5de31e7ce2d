/** Imported before any schema: zod must not probe for `eval`, which the page's content security policy reports. */
import * as z from "../src/shared/zod.ts";

z.config({ jitless: true });
