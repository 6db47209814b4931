import type { JSONRPCMessage } from "@modelcontextprotocol/client";

/** JSON-RPC reserves a range of error codes for errors that a server defines. This is the first code of the range. */
const SERVER_ERROR = -32_000;

/** Requests of a connection that have no response yet. */
export interface OpenRequests {
  /** Records a sent message. */
  sent(message: JSONRPCMessage): void;
  /** Records a received message. */
  received(message: JSONRPCMessage): void;
  /** Removes the selected open requests, and returns an error response for each of them. */
  fail(problem: string, isMeant: (id: string | number) => boolean): readonly JSONRPCMessage[];
}

/** Creates an empty table. */
export function createOpenRequests(): OpenRequests {
  const open = new Set<string | number>();
  return {
    sent(message) {
      if ("method" in message && "id" in message) open.add(message.id);
    },
    received(message) {
      if (!("method" in message) && "id" in message && message.id !== undefined) open.delete(message.id);
    },
    fail(problem, isMeant) {
      const meant = [...open].filter(isMeant);
      for (const id of meant) open.delete(id);
      return meant.map((id) => ({ jsonrpc: "2.0", id, error: { code: SERVER_ERROR, message: problem } }));
    },
  };
}
