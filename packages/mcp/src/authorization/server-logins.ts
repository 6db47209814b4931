import { type Secret, secret } from "@switchyard/secrets";
import type { McpServerConfig, McpServers } from "../config/mcp-server-config.ts";
import { type EnvironmentRecord, resolveServerConfig } from "../config/resolve-server-config.ts";
import { loginAddress, type McpLogins, secretsOfLogin } from "./mcp-login.ts";

/** Returns the key under which a server's login is stored. `undefined` for a server without login. */
export function addressOfServer(name: string, config: McpServerConfig, env: EnvironmentRecord): string | undefined {
  try {
    const server = resolveServerConfig(name, config, env);
    return server.kind === "http" ? loginAddress(server.url) : undefined;
  } catch {
    // If the configuration cannot be resolved, for example because a variable is not set, the server is never started, so
    // it has no address.
    return undefined;
  }
}

/**
 * Resolves with the stored tokens of the servers. Pass them to every writer of events and reports. Rejects with the
 * store's errors.
 */
export async function mcpLoginSecrets(
  servers: McpServers,
  { env = {}, logins }: { env?: EnvironmentRecord | undefined; logins: McpLogins },
): Promise<Secret[]> {
  const addresses = Object.entries(servers).flatMap(([name, config]) => addressOfServer(name, config, env) ?? []);
  const stored = await Promise.all([...new Set(addresses)].map((address) => logins.load(address)));
  return stored.flatMap((login) => (login === undefined ? [] : secretsOfLogin(login))).map((value) => secret(value));
}
