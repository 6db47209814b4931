import { type Secret, secret } from "@switchyard/secrets";
import type { McpServerConfig, McpServers } from "../config/mcp-server-config.ts";
import { type EnvironmentRecord, resolveServerConfig } from "../config/resolve-server-config.ts";
import { type McpSignIns, secretsOfSignIn, signInAddress } from "./mcp-sign-in.ts";

/** Returns the key under which a server's sign-in is stored. `undefined` for a server without sign-in. */
export function addressOfServer(name: string, config: McpServerConfig, env: EnvironmentRecord): string | undefined {
  try {
    const server = resolveServerConfig(name, config, env);
    return server.kind === "http" ? signInAddress(server.url) : undefined;
  } catch {
    // A configuration whose references cannot be resolved is never used, so it has no address.
    return undefined;
  }
}

/**
 * Resolves with the stored tokens of the servers. Pass them to every writer of events and reports. Rejects with the
 * store's errors.
 */
export async function mcpSignInSecrets(
  servers: McpServers,
  { env = {}, signIns }: { env?: EnvironmentRecord | undefined; signIns: McpSignIns },
): Promise<Secret[]> {
  const addresses = Object.entries(servers).flatMap(([name, config]) => addressOfServer(name, config, env) ?? []);
  const kept = await Promise.all([...new Set(addresses)].map((address) => signIns.load(address)));
  return kept.flatMap((signIn) => (signIn === undefined ? [] : secretsOfSignIn(signIn))).map((value) => secret(value));
}
