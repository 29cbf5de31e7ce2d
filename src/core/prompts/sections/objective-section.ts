export const objective = () => `OBJECTIVE

1. Set goals that can be checked.
2. Work on one at a time, reading before changing.
3. Ask only for what you can neither find nor decide, such as a required parameter; never ask for an optional one.
4. Check the work with the project's own tests and tools.
5. Present the result with attempt_completion, with a command that shows it if there is something to see. If the user wants corrections, make them and complete again.`;
