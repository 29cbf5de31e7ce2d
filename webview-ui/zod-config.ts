/** Imported before any schema: zod must not probe for `eval`, which the page's content security policy reports. */
import { config } from "zod";

config({ jitless: true });
