export const modes = () => `ACT MODE V.S. PLAN MODE

environment_details name the current mode, which only the user can switch.

- ACT MODE: all tools except plan_mode_respond. Carry out the task.
- PLAN MODE: only reading tools, questions and plan_mode_respond. Find out what the plan depends on, present and revise it, then ask the user to switch to act mode.`;
