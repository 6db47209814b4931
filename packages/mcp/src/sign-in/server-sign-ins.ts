import { type Secret, secret } from "@switchyard/secrets";
import type { McpServerConfig, McpServers } from "../config/mcp-server-config.ts";
import { type EnvironmentRecord, resolveServerConfig } from "../config/resolve-server-config.ts";
import { type McpSignIns, secretsOfSignIn, signInAddress } from "./mcp-sign-in.ts";

/** Under what the sign-in to a server is kept; nothing for one that nobody signs in to. */
export function addressOfServer(name: string, config: McpServerConfig, env: EnvironmentRecord): string | undefined {
  try {
    const server = resolveServerConfig(name, config, env);
    return server.kind === "http" ? signInAddress(server.url) : undefined;
  } catch {
    // What cannot be resolved is not used either.
    return undefined;
  }
}

/** The tokens that are kept for servers. Give them to whatever writes events and reports. Rejects with what the store fails with. */
export async function mcpSignInSecrets(
  servers: McpServers,
  { env = {}, signIns }: { env?: EnvironmentRecord | undefined; signIns: McpSignIns },
): Promise<Secret[]> {
  const addresses = Object.entries(servers).flatMap(([name, config]) => addressOfServer(name, config, env) ?? []);
  const kept = await Promise.all([...new Set(addresses)].map((address) => signIns.load(address)));
  return kept.flatMap((signIn) => (signIn === undefined ? [] : secretsOfSignIn(signIn))).map((value) => secret(value));
}
