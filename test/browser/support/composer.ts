/** What the tests of both tiers of composer share. */
import { input } from "./suite.ts";

export const value = () => input().inputValue();
