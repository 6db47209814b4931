import { once } from "node:events";
import { connect } from "node:net";
import { onTestFinished } from "vitest";

/** Sends bytes as they are and reads the answer until the server closes or has said that it is over. */
export async function sendRaw(port: number, ...pieces: readonly string[]): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  // What the server does not read any more breaks the pipe.
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

/** The status of an answer. */
export function statusOf(answer: string): number {
  return Number(answer.split(" ")[1]);
}
