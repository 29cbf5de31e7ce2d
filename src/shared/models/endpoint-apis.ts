/** The APIs that endpoints speak, without zod, for what only lists them. */
export const ENDPOINT_APIS = ["chat", "responses", "anthropic"] as const;
