/** The APIs that endpoints use. This file does not import zod, for code that only lists the APIs. */
export const ENDPOINT_APIS = ["chat", "responses", "anthropic"] as const;
