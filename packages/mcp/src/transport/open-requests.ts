import type { JSONRPCMessage } from "@modelcontextprotocol/client";

/** JSON-RPC: the first code of a server's own errors. */
const SERVER_ERROR = -32_000;

/** The requests of a connection that wait for an answer. */
export interface OpenRequests {
  /** Notes what is sent. */
  sent(message: JSONRPCMessage): void;
  /** Notes what has come. */
  received(message: JSONRPCMessage): void;
  /** An answer for each of them that is meant, which says why there is none; they are open no more. */
  fail(problem: string, isMeant: (id: string | number) => boolean): readonly JSONRPCMessage[];
}

/** Makes an empty table. */
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
