// @ts-check
// The faulty implementation: it checks tokens and has Node's connection limit, but no limit by kind, address or caller.
import { createServer } from "node:http";

const MAX_CONNECTIONS = 100;
const [, token = ""] = process.argv.slice(2);
const server = createServer((request, response) => {
  const isKnown = request.headers.authorization === `Bearer ${token}`;
  response.writeHead(isKnown ? 200 : 401, { "content-type": "text/plain" });
  response.end(request.url === "/metrics" ? 'switchyard_connections{kind="unauthenticated"} 0\n' : "ok\n");
});
server.maxConnections = MAX_CONNECTIONS;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.({ type: "listening", port: typeof address === "object" ? address?.port : 0 });
});
process.on("disconnect", () => process.exit(0));
