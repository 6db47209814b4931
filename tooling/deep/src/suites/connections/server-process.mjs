// @ts-check
// A server with its default limits, in a separate process: server-process.mjs STATE TOKEN
import { parseTokens, startServer } from "@switchyard/server";

const [stateDirectory = "", token = ""] = process.argv.slice(2);
const server = await startServer({
  session: { engine: { execute: async (_, __, board) => board }, engineName: "idle" },
  stateDirectory,
  openEnvironment: (root) => ({ type: "local", root, env: {} }),
  tokens: parseTokens(`${token} owner=caller roles=admin`, "tokens"),
  // The rate limit must not affect the measurement.
  rateLimit: { perMinute: 1e9, burst: 1e9 },
});
process.send?.({ type: "listening", port: server.port });
process.on("disconnect", () => process.exit(0));
