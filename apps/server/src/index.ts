// Exports for users: serve an engine over HTTP, and identify callers.
export { isAddressRange } from "./connection/client-address.ts";
export type { ConnectionOptions } from "./connection/connection-options.ts";
export type { Caller, Scope } from "./guard/caller.ts";
export type { RateLimit } from "./guard/rate-limit.ts";
export { readTokens } from "./guard/read-tokens.ts";
export type { TokenSet } from "./guard/token-set.ts";
export { parseTokens } from "./guard/token-set.ts";
export type { WatchedTokens, WatchTokensOptions } from "./guard/watch-tokens.ts";
export { watchTokens } from "./guard/watch-tokens.ts";
export type { RequestLine } from "./http/request-line.ts";
export type { RunLine } from "./http/run-line.ts";
export type { ServedRun, ServerOptions } from "./server/server-options.ts";
export type { RunningServer } from "./server/start-server.ts";
export { startServer } from "./server/start-server.ts";
export type { EventStreamOptions } from "./stream/event-streams.ts";
export { readWebhookSecret } from "./webhook/read-webhook-secret.ts";
export type { WebhookOptions } from "./webhook/webhook-sender.ts";
