import { once } from "node:events";
import { connect as connectSocket, createServer, type Socket } from "node:net";
import type { NatsServer } from "@switchyard/nats-server";
import { onTestFinished } from "vitest";

/** A proxy between a client and a broker. */
export interface BrokerProxy {
  /** Where clients reach it. */
  readonly url: string;
  /** From now on, the broker's responses are not passed to the client. */
  mute(): void;
  /** Like `mute`, but only after the broker has sent a message that contains a text. */
  muteAfter(text: string): void;
  /** Whether the broker's responses are held back. */
  isMute(): boolean;
  /** Ends all connections. New connections are accepted again. */
  cut(): void;
  /** Returns a function that counts the messages to the broker that contain a text, from now on. */
  countMessages(text: string): () => number;
  /** Number of bytes that the broker has sent. */
  bytesSent(): number;
}

/** Starts a proxy between a client and a broker, which can hold back the broker's responses. */
export async function startProxy(server: NatsServer): Promise<BrokerProxy> {
  const target = new URL(server.url);
  const sockets = new Set<Socket>();
  let isMute = false;
  let lastText: string | undefined;
  let bytesSent = 0;
  const onMessage = new Set<(bytes: Buffer) => void>();
  const listener = createServer((client) => {
    const upstream = connectSocket(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
    }
    client.pipe(upstream);
    client.on("data", (bytes) => {
      for (const count of onMessage) count(bytes);
    });
    upstream.on("data", (bytes) => {
      bytesSent += bytes.length;
      if (!isMute) client.write(bytes);
      if (lastText !== undefined && bytes.includes(lastText)) isMute = true;
    });
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
  }).listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    isMute = false;
    lastText = undefined;
  };
  onTestFinished(() => {
    cut();
    listener.close();
  });
  return {
    url: `nats://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    mute: () => {
      isMute = true;
    },
    muteAfter: (text) => {
      lastText = text;
    },
    isMute: () => isMute,
    cut,
    countMessages: (text) => {
      let count = 0;
      onMessage.add((bytes) => {
        count += bytes.toString("latin1").split(text).length - 1;
      });
      return () => count;
    },
    bytesSent: () => bytesSent,
  };
}
