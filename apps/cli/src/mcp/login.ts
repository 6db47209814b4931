import { EngineError } from "@switchyard/contracts";
import { openMcpLogins, readMcpConfig } from "@switchyard/settings";
import { neutraliseControls } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { createStopSignal } from "../task/stop-signal.ts";
import type { LoginCommandOptions } from "./login-options.ts";

type Server = Awaited<ReturnType<typeof readMcpConfig>>["servers"][string];

async function serverOf(context: CommandContext, name: string, { mcpConfig }: LoginCommandOptions): Promise<Server> {
  if (mcpConfig === undefined) {
    throw new EngineError("config.invalid", { field: "--mcp-config", problem: "name the file with the MCP servers" });
  }
  const { servers } = await readMcpConfig(context, mcpConfig);
  const server = Object.hasOwn(servers, name) ? servers[name] : undefined;
  if (server !== undefined) return server;
  const problem = `unknown server; configured servers: ${Object.keys(servers).join(", ") || "none"}`;
  throw new EngineError("config.invalid", { field: `mcpServers.${name}`, problem });
}

/** Logs the user in to an MCP server. Resolves with the exit code. */
export async function login(context: CommandContext, name: string, options: LoginCommandOptions): Promise<number> {
  const config = await serverOf(context, name, options);
  const { loginToServer } = await import("@switchyard/mcp");
  const stop = createStopSignal(context);
  const waitMs = (options.wait ?? 0) * 1_000;
  const timeUp = AbortSignal.timeout(waitMs);
  try {
    await loginToServer(name, {
      ...{ config, env: context.env, logins: openMcpLogins(context), port: options.port },
      signal: AbortSignal.any([stop, timeUp]),
      onAddress: (address) => {
        context.stderr.write(`Open this page to log in to ${name}:\n\n  ${neutraliseControls(address)}\n\n`);
      },
    });
  } catch (error) {
    if (stop.aborted) return 130;
    if (!timeUp.aborted) throw error;
    const problem = `no login within ${options.wait} s`;
    throw new EngineError("mcp.sign_in_failed", { server: name, problem }, { cause: error });
  }
  context.stdout.write(`Logged in to ${name}.\n`);
  return 0;
}

/** Deletes the stored login of an MCP server. Resolves with the exit code. */
export async function logout(context: CommandContext, name: string, options: LoginCommandOptions): Promise<number> {
  const config = await serverOf(context, name, options);
  const { addressOfServer } = await import("@switchyard/mcp");
  const address = addressOfServer(name, config, context.env);
  const wasThere = address !== undefined && (await openMcpLogins(context).remove(address));
  context.stdout.write(wasThere ? `Logged out of ${name}.\n` : `You were not logged in to ${name}.\n`);
  return 0;
}
