/** The entry of the bundle that is loaded with the first review. */
export { reviewProject } from "./project-review.ts";
export { reviewInSession } from "./session-review.ts";
