import type { EngineHost } from "./engine-host.ts";
import type { EngineRequest } from "./engine-request.ts";

/** Warns if an engine does not support MCP servers. Not an error, because they may come from the user's settings. */
export function warnOfServers({ onWarning }: EngineHost, engine: string, servers: EngineRequest["mcpServers"]): void {
  const names = Object.keys(servers ?? {});
  if (names.length === 0) return;
  onWarning(`the engine ${engine} does not support MCP servers, so it runs without ${names.join(", ")}`);
}

/** Warns if an engine does not support fallback models. Not an error, because they may come from the user's settings. */
export function warnOfFallbackModels(
  { onWarning }: EngineHost,
  engine: string,
  models: EngineRequest["fallbackModel"] = [],
): void {
  if (models.length === 0) return;
  onWarning(`the engine ${engine} does not support fallback models, so ${models.join(", ")} will not be used`);
}
