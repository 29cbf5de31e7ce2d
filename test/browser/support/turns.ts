/** What the tests of both tiers of turns share. */
import { page } from "./suite.ts";

export const work = () => page.getByTestId("work");
export const strip = () => page.getByTestId("review-strip");
