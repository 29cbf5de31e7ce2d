/**
 * zod would generate code for each schema that parses an object, when it first does. A run of the terminal host parses with most
 * of them only a few times, so that costs more than it saves. Imported before all schemas, which read this when they are made.
 */
import * as z from "../../shared/zod.ts";

z.config({ jitless: true });
