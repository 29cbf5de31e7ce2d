/** The parts of BullMQ and of its Redis client that Nekode uses. This is the entry of a separate bundle, which loads with --queue. */
export { Queue, QueueEvents, WaitingError, Worker } from "bullmq";
export { Redis } from "ioredis";
