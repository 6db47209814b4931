import { connect } from "node:net";

/** Sends bytes to an address, and returns everything that arrives until the connection is closed. */
export async function sendBytes(baseUrl: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  let received = "";
  socket.setEncoding("latin1").on("data", (piece: string) => {
    received += piece;
  });
  socket.on("error", () => undefined);
  socket.write(bytes);
  await new Promise((resolve) => socket.once("close", resolve));
  return received;
}
