/**
 * What a review needs of the rest of core. `reviews.ts` and its files are a bundle of their own, which is loaded with the first review: they
 * get these parts as values, because a bundle has its own copies of what it imports, and an error's second class would not be recognized.
 */
import { Interrupt, ToolError, throwIfAborted } from "../../errors.ts";
import { readInstructionFile } from "../../instructions/instruction-file.ts";
import { findNestedRules, foldersDownTo } from "../../instructions/rule-files.ts";
import { concerns } from "../../instructions/rule-matches.ts";
import { nestedRulesText, readRules, rulesIn } from "../../instructions/rules.ts";
import { Judge } from "../../loop/calls/permission.ts";
import { ToolRegistry } from "../../tools/registry.ts";
import { defineTool } from "../../tools/tool.ts";
import { ScratchTask, withRemainingCost } from "../extras/scratch-task.ts";
import { ReviewFailure, ReviewRequestFailure } from "./review-failure.ts";

export const REVIEW_CORE = {
  ScratchTask,
  withRemainingCost,
  Judge,
  ToolRegistry,
  defineTool,
  readInstructionFile,
  findNestedRules,
  foldersDownTo,
  concerns,
  nestedRulesText,
  readRules,
  rulesIn,
  throwIfAborted,
  Interrupt,
  ToolError,
  ReviewFailure,
  ReviewRequestFailure,
};
export type ReviewCore = typeof REVIEW_CORE;
