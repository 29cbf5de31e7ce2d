/** What the tests of both tiers of set-up share. */
import { page } from "./suite.ts";

export const maker = (id: string) => page.getByTestId(`maker-${id}`);
export const key = () => page.getByTestId("set-up-key");
export const option = (text: string) => page.getByTestId("model-option").filter({ hasText: text });
