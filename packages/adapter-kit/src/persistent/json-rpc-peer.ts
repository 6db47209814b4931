import { messageOf, type SpawnedProcess } from "@switchyard/contracts";
import { isJsonObject, type JsonObject, numberAt, objectAt, parseJsonLine, textAt } from "../output/parse-json-line.ts";
import { PendingRequests } from "./pending-requests.ts";

/** JSON-RPC error code: the method is unknown. */
const METHOD_NOT_FOUND = -32_601;
/** JSON-RPC error code: the request failed. */
const REQUEST_FAILED = -32_000;

/** Callbacks of a peer. */
export interface JsonRpcListener {
  /** Called with each notification, in order. */
  onNotification(method: string, params: JsonObject): void;
  /**
   * Called with each request from the peer. Resolves with the result of the request, or with `undefined` if the method
   * is unknown.
   */
  onRequest(method: string, params: JsonObject): Promise<JsonObject | undefined>;
  /**
   * Called with the result of a request to the peer. Messages that arrived after the result are handled after this
   * call.
   */
  onResult?(method: string, result: JsonObject): void;
}

/** One side of a JSON-RPC connection over lines. See agent-adapter: persistent process. */
export interface JsonRpcPeer {
  /**
   * Sends a request and resolves with its result. Rejects with `adapter.response_error`, whose cause is the peer's
   * error object, with `adapter.response_timeout`, or with `adapter.port_exit`.
   */
  request(method: string, params: JsonObject, timeoutMs: number): Promise<JsonObject>;
  /** Sends a notification. */
  notify(method: string, params: JsonObject): void;
  /** Handles a line from the peer. Throws a `SyntaxError` if the line is not a JSON-RPC message. */
  take(line: string): void;
  /** Closes the connection: pending and later requests fail. */
  close(problem: string): void;
  /**
   * Resolves when the connection is closed. A turn that ends with a notification instead of a response waits until the
   * notification arrives or this promise resolves. Otherwise it would wait forever if the connection is closed first.
   */
  readonly closed: Promise<void>;
}

/**
 * Creates a JSON-RPC peer. Messages are sent as lines with `send`. If `marked` is true, each message contains the
 * member `jsonrpc` with the protocol version.
 */
export function createJsonRpcPeer(
  send: (line: string) => void,
  listener: JsonRpcListener,
  { marked = true }: { readonly marked?: boolean } = {},
): JsonRpcPeer {
  let resolveClosed: () => void = () => {};
  const whenClosed = new Promise<void>((resolve) => {
    resolveClosed = resolve;
  });
  const pending = new PendingRequests((method, result) => listener.onResult?.(method, result));
  const write = (message: JsonObject): void =>
    send(`${JSON.stringify(marked ? { jsonrpc: "2.0", ...message } : message)}\n`);

  /** Responds to a request from the peer. Every request gets a response. */
  async function answer(id: unknown, method: string, params: JsonObject): Promise<void> {
    try {
      const result = await listener.onRequest(method, params);
      if (result === undefined) {
        write({ id, error: { code: METHOD_NOT_FOUND, message: `The method ${method} is not offered.` } });
      } else write({ id, result });
    } catch (error) {
      write({ id, error: { code: REQUEST_FAILED, message: messageOf(error) } });
    }
  }
  return {
    request: (method, params, timeoutMs) =>
      pending.open({ method, timeoutMs, send: (id) => write({ id, method, params }) }),
    notify: (method, params) => write({ method, params }),
    take(line) {
      const message = parseJsonLine(line);
      const method = textAt(message, "method");
      const params = objectAt(message, "params");
      if (method !== "" && message["id"] !== undefined) void answer(message["id"], method, params);
      else if (method !== "") listener.onNotification(method, params);
      else {
        const id = numberAt(message, "id");
        if (id === undefined || !isJsonObject(message)) throw new SyntaxError("The line is not a message.");
        pending.settle(id, message);
      }
    },
    close(problem) {
      pending.close(problem);
      resolveClosed();
    },
    closed: whenClosed,
  };
}

/** Writes lines to a process in order, without blocking, until its input is closed. */
export function lineSender(process: SpawnedProcess): { send(line: string): void; close(): void } {
  const writer = process.stdin.getWriter();
  writer.closed.catch(() => {});
  const encoder = new TextEncoder();
  return {
    send: (line) => void writer.write(encoder.encode(line)).catch(() => {}),
    close: () => void writer.close().catch(() => {}),
  };
}
