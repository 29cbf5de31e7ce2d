"""Stands in for Harbor's module of this name."""

from dataclasses import dataclass
from typing import Any


@dataclass
class AgentContext:
    n_input_tokens: "int | None" = None
    n_cache_tokens: "int | None" = None
    n_output_tokens: "int | None" = None
    cost_usd: "float | None" = None
    rollout_details: "list | None" = None
    metadata: "dict[str, Any] | None" = None
