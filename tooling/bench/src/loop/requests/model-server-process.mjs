// @ts-check
// A model API on the loopback interface, in a separate process so that its cost is not measured. A path is
// /<family>/<deltas>/…; prints its port and ends with its standard input.
import { createServer } from "node:http";
import { wireStream } from "./wire-stream.mjs";

const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    const [, family = "", deltas = ""] = (request.url ?? "").split("/");
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const piece of wireStream(family, Number(deltas))) response.write(piece);
    response.end();
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object") console.log(address?.port);
});
process.stdin.resume().on("end", () => process.exit());
