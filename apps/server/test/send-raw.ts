import { once } from "node:events";
import { connect } from "node:net";
import { onTestFinished } from "vitest";

/** Sends bytes unchanged and reads the response until the server closes the connection or the response is complete. */
export async function sendRaw(port: number, ...pieces: readonly string[]): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  // The server may close the connection before all bytes are sent.
  socket.on("error", () => undefined);
  await once(socket, "connect");
  for (const piece of pieces) socket.write(piece);
  let answer = "";
  for await (const chunk of socket) {
    answer += String(chunk);
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    const [, length] = /content-length: (\d+)/iu.exec(head) ?? [];
    if (length !== undefined && Buffer.byteLength(body) >= Number(length)) break;
  }
  return answer;
}

/** Returns the HTTP status of a raw response. */
export function statusOf(answer: string): number {
  return Number(answer.split(" ")[1]);
}
