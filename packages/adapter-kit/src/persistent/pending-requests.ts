import { EngineError } from "@switchyard/contracts";
import { type JsonObject, objectAt, textAt } from "../output/parse-json-line.ts";

/** Longest delay of a timer, in milliseconds. A timer with a longer delay would fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Request to the peer that has no response yet. */
interface PendingRequest {
  readonly method: string;
  resolve(result: JsonObject): void;
  reject(error: EngineError): void;
}

/** Request to send to the peer. */
interface OpenedRequest {
  readonly method: string;
  /** Time limit for the response, in milliseconds. 0: no limit. */
  readonly timeoutMs: number;
  /** Sends the request with its id. */
  send(id: number): void;
}

/** Requests to a JSON-RPC peer that have no response yet. */
export class PendingRequests {
  readonly #requests = new Map<number, PendingRequest>();
  readonly #onResult: (method: string, result: JsonObject) => void;
  #nextId = 1;
  /** Why the connection was closed. `undefined` while it is open. */
  #closed: string | undefined;

  /** `onResult` is called with the result of a request before the promise of the request resolves. */
  constructor(onResult: (method: string, result: JsonObject) => void) {
    this.#onResult = onResult;
  }

  /**
   * Sends a request and resolves with its result. Rejects with `adapter.response_error`, whose cause is the peer's error
   * object, with `adapter.response_timeout`, or with `adapter.port_exit`.
   */
  open({ method, timeoutMs, send }: OpenedRequest): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      if (this.#closed !== undefined) return reject(new EngineError("adapter.port_exit", { problem: this.#closed }));
      const id = this.#nextId++;
      const onTimeout = (): void => {
        this.#requests.delete(id);
        reject(new EngineError("adapter.response_timeout", { timeoutMs }));
      };
      const timer = timeoutMs > 0 ? setTimeout(onTimeout, Math.min(timeoutMs, MAX_TIMER_MS)) : undefined;
      const settled = <T>(act: (value: T) => void): ((value: T) => void) => {
        return (value) => {
          clearTimeout(timer);
          act(value);
        };
      };
      this.#requests.set(id, { method, resolve: settled(resolve), reject: settled(reject) });
      send(id);
    });
  }

  /** Settles the request with this id. Responses to unknown requests are ignored. */
  settle(id: number, response: JsonObject): void {
    const request = this.#requests.get(id);
    this.#requests.delete(id);
    if (request === undefined) return;
    if (!("error" in response)) {
      const result = objectAt(response, "result");
      this.#onResult(request.method, result);
      request.resolve(result);
      return;
    }
    const problem = textAt(response["error"], "message") || "no reason was given";
    request.reject(new EngineError("adapter.response_error", { problem }, { cause: response["error"] }));
  }

  /** Rejects all requests without a response, and all later ones, with `adapter.port_exit`. */
  close(problem: string): void {
    this.#closed ??= problem;
    for (const { reject } of this.#requests.values()) {
      reject(new EngineError("adapter.port_exit", { problem: this.#closed }));
    }
    this.#requests.clear();
  }
}
