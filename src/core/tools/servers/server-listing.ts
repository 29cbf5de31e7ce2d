/** How servers and their tools are described to the model. */
import type { ServerTool } from "../../ports/servers.ts";
import type { OfferedServer } from "../../servers/project-servers.ts";
import { boundedLine } from "../../servers/server-text.ts";

/** Characters of a server's own advice. */
const MAX_INSTRUCTIONS = 2_000;
/** Characters of the name of a resource. */
const MAX_NAME = 200;
/** Resources and templates that are listed; more are counted. */
const MAX_RESOURCES = 50;

/** Name, description and input schema of one tool. */
export function describeServerTool({ name, description, inputSchema }: ServerTool): string {
  const about = description.trim() === "" ? "" : `: ${indented(description.trim())}`;
  return `- ${name}${about}\n    Input schema: ${JSON.stringify(inputSchema)}`;
}

/**
 * One server, under its name and command or address. `tools`: with schemas, by name alone (they are functions of their own), or
 * only how many there are.
 */
export function describeServer(
  { definition, offer, choices }: OfferedServer,
  tools: "schemas" | "names" | "count",
): string {
  const { name, launch } = definition;
  const where =
    launch.type === "stdio" ? [launch.command, ...launch.args].join(" ") : withoutQuery(launch.url);
  const on = offer.tools.filter((tool) => !choices.off.includes(tool.name));
  const parts = [`## ${name} (\`${where}\`)`];
  if (tools === "count") {
    const about = offer.instructions === undefined ? "" : ` ${firstLine(offer.instructions)}`;
    return `- ${name}: ${on.length} tools.${about}`;
  }
  if (offer.instructions !== undefined)
    parts.push(
      `The server says about itself:\n    ${indented(offer.instructions.slice(0, MAX_INSTRUCTIONS))}`,
    );
  if (on.length > 0) {
    const list =
      tools === "schemas" ? on.map(describeServerTool).join("\n\n") : on.map((tool) => tool.name).join(", ");
    parts.push(tools === "schemas" ? `### Available Tools\n${list}` : `Tools: ${list}`);
  }
  const templates = offer.templates.map(({ uriTemplate, name: title, description }) =>
    listed(uriTemplate, title, description),
  );
  if (templates.length > 0) parts.push(`### Resource Templates\n${bounded(templates)}`);
  const resources = offer.resources.map(({ uri, name: title, description }) =>
    listed(uri, title, description),
  );
  if (resources.length > 0) parts.push(`### Direct Resources\n${bounded(resources)}`);
  return parts.join("\n\n");
}

/** Addresses may carry a key in their query, which the model does not need. */
function withoutQuery(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? "";
}

/** In one line, so that a name cannot look like another entry. */
function listed(uri: string, name: string, description: string | undefined): string {
  const about = description === undefined || description === "" ? "" : `: ${firstLine(description)}`;
  return `- ${uri} (${boundedLine(name, MAX_NAME)})${about}`;
}

function bounded(lines: readonly string[]): string {
  const left = lines.length - MAX_RESOURCES;
  return [...lines.slice(0, MAX_RESOURCES), ...(left > 0 ? [`(${left} more)`] : [])].join("\n");
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0]?.slice(0, 300) ?? "";
}

/** Later lines of a description, indented so that they cannot look like another entry. */
function indented(text: string): string {
  return text.replace(/\r?\n/g, "\n    ");
}
