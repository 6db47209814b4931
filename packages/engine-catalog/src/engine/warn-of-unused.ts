import type { EngineHost } from "./engine-host.ts";
import type { EngineRequest } from "./engine-request.ts";

/**
 * Emits a warning if an engine does not support MCP servers. This is not an error, because the servers may come from
 * the user's settings.
 */
export function warnOfServers({ onWarning }: EngineHost, engine: string, servers: EngineRequest["mcpServers"]): void {
  const names = Object.keys(servers ?? {});
  if (names.length === 0) return;
  onWarning(`the engine ${engine} does not support MCP servers, so it runs without ${names.join(", ")}`);
}

/**
 * Emits a warning if an engine does not use the model gateway, which replaces models that fail. This is not an error, because the models may come from
 * the user's settings.
 */
export function warnOfFallbackModels(
  { onWarning }: EngineHost,
  engine: string,
  models: EngineRequest["fallbackModels"] = [],
): void {
  if (models.length === 0) return;
  const names = models.join(", ");
  onWarning(`the engine ${engine} does not call models through the model gateway, so ${names} will not be used`);
}
