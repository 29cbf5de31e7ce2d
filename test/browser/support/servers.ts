/** What the tests of both tiers of servers share. */
import type { ListedServer } from "../../../src/shared/server-list.ts";
import { host, openPanel, page, showScreen } from "./suite.ts";

export const items = () => page.getByTestId("server-item");
export const item = (name: string) =>
  items().filter({ has: page.locator(".server-name", { hasText: name }) });

export async function openServers(options: Parameters<typeof openPanel>[0] = {}): Promise<void> {
  await openPanel({ width: 320, height: 900, ...options });
  showScreen("servers");
  await items().last().waitFor();
}

export async function unfold(name: string): Promise<void> {
  await item(name).locator(".server-head").click();
}

export function change(name: string, more: Partial<ListedServer>): void {
  host.servers = {
    ...host.servers,
    servers: host.servers.servers.map((server) => (server.name === name ? { ...server, ...more } : server)),
  };
}
