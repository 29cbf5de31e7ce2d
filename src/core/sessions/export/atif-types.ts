/**
 * The Agent Trajectory Interchange Format, as far as Nekode writes it. Version 1.7 is the oldest in which child tasks can be
 * part of the file; version 1.8 adds only audio. Unknown fields are not allowed: what the format has no field for is in `extra`.
 */

export const ATIF_VERSION = "ATIF-v1.7";

export type Extra = Record<string, unknown>;

export const IMAGE_TYPES = ["image/jpeg", "image/png", "image/gif", "image/webp"] as const;
type ImageType = (typeof IMAGE_TYPES)[number];

export type ContentPart =
  | { type: "text"; text: string }
  /** `path`: relative to the trajectory's file. */
  | { type: "image"; source: { media_type: ImageType; path: string } };

export type Content = string | ContentPart[];

export interface AtifCall {
  tool_call_id: string;
  function_name: string;
  arguments: Record<string, unknown>;
  extra?: Extra;
}

export interface AtifResult {
  /** A call of the same step. Absent: the result belongs to no call. */
  source_call_id?: string;
  content?: Content;
  subagent_trajectory_ref?: { trajectory_id: string; session_id: string }[];
  extra?: Extra;
}

export interface AtifMetrics {
  /** All input tokens, including the cached ones. */
  prompt_tokens: number;
  completion_tokens: number;
  cached_tokens?: number;
  cost_usd?: number;
  extra?: Extra;
}

export interface AtifStep {
  /** From 1, without gaps. */
  step_id: number;
  timestamp: string;
  source: "system" | "user" | "agent";
  message: Content;
  /** The following five only where the source is an agent. */
  model_name?: string;
  reasoning_content?: string;
  tool_calls?: AtifCall[];
  metrics?: AtifMetrics;
  llm_call_count?: number;
  observation?: { results: AtifResult[] };
  /** The step belongs to the session that this one branched off from. */
  is_copied_context?: true;
  extra?: Extra;
}

export interface AtifTrajectory {
  schema_version: typeof ATIF_VERSION;
  session_id: string;
  trajectory_id: string;
  agent: { name: string; version: string; model_name?: string; extra?: Extra };
  steps: AtifStep[];
  notes: string;
  final_metrics: {
    total_prompt_tokens: number;
    total_completion_tokens: number;
    total_cached_tokens: number;
    total_cost_usd?: number;
    total_steps: number;
    extra?: Extra;
  };
  extra?: Extra;
  subagent_trajectories?: AtifTrajectory[];
}
