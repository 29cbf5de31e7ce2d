/** Loads BullMQ, which is a bundle of its own; only batches that ride a queue need it. */

export type QueueSdk = typeof import("./queue-sdk.ts");

export function loadQueueSdk(): Promise<QueueSdk> {
  return import("./queue-sdk.ts");
}
