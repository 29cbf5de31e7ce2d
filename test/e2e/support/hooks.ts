// Runs with every file of end-to-end tests; what the files share is loaded once a worker.
import { afterAll, afterEach, beforeEach } from "vitest";
import { fileEnded, testBegins, testEnded } from "./index.ts";

beforeEach(({ task }) => testBegins(task));
afterEach(({ task }) => testEnded(task));
afterAll(fileEnded);
