import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { parseProxies } from "./client-address.ts";
import { connectionLimitsOf } from "./connection-limits.ts";
import { ConnectionTable } from "./connection-table.ts";

/** Starts a server whose responses the test writes, by the path of their request. */
async function startTable() {
  const table = new ConnectionTable({
    limits: connectionLimitsOf({ maxConnections: 100, hasTokens: false, openFiles: 1_000 }),
    proxies: parseProxies([]),
    monotonic: () => performance.now(),
    onDrop: () => {},
  });
  const responses = new Map<string, ServerResponse>();
  const server = createServer((request, response) => {
    if (table.begin(request.socket, response)) responses.set(request.url ?? "", response);
  });
  server.on("connection", (socket) => table.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    table.close();
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  /** Sends the start of a request and waits until the server handles it. */
  const send = async (path: string, rest: string): Promise<{ socket: Socket; response: ServerResponse }> => {
    const socket = connect(port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\n${rest}`);
    await expect.poll(() => responses.has(path)).toBe(true);
    const response = responses.get(path);
    if (response === undefined) throw new Error(`There is no request ${path}.`);
    return { socket, response };
  };
  return { table, send };
}

const WHOLE = "Content-Length: 0\r\n\r\n";

test("answered() waits for complete requests, and not for streams or for requests whose body is missing", async () => {
  const { table, send } = await startTable();
  const stream = await send("/stream", WHOLE);
  stream.response.writeHead(200);
  stream.response.write("begun");
  await send("/incomplete", "Content-Length: 10\r\n\r\nhalf");
  await table.answered();
  const [first, second] = [await send("/first", WHOLE), await send("/second", WHOLE)];
  let isAnswered = false;
  const answered = table.answered().then(() => {
    isAnswered = true;
  });
  first.response.end("one");
  await once(first.socket, "data");
  expect(isAnswered).toBe(false);
  second.socket.destroy();
  await answered;
});
