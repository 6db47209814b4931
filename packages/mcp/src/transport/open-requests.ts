import type { JSONRPCMessage } from "@modelcontextprotocol/client";

/** JSON-RPC: the first code of a server's own errors. */
const SERVER_ERROR = -32_000;

/** The requests of a connection that wait for an answer. */
export interface OpenRequests {
  /** Notes what is sent. */
  sent(message: JSONRPCMessage): void;
  /** Notes what has come. */
  received(message: JSONRPCMessage): void;
  /** An answer for each of them that says why there is none; nothing is open behind that. */
  fail(problem: string): readonly JSONRPCMessage[];
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
    fail(problem) {
      const failures = Array.from(
        open,
        (id): JSONRPCMessage => ({ jsonrpc: "2.0", id, error: { code: SERVER_ERROR, message: problem } }),
      );
      open.clear();
      return failures;
    },
  };
}
