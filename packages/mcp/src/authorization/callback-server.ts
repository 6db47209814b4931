import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { EngineError } from "@switchyard/contracts";

/** Waits for the browser's redirect from an authorization server. */
export interface CallbackServer extends AsyncDisposable {
  /** Redirect address. */
  readonly url: string;
  /** Resolves with the parameters of the redirect. Rejects with the signal's reason. */
  answer(signal: AbortSignal): Promise<URLSearchParams>;
}

const PATH = "/callback";
/**
 * Limits of the local HTTP server that receives the redirect. It expects a single request, and closes other connections
 * early so that they cannot block it.
 */
const LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  keepAliveTimeout: 1_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
} as const;
const MAX_CONNECTIONS = 32;
const HEADERS = {
  "content-type": "text/plain; charset=utf-8",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  connection: "close",
};

function reply(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, HEADERS).end(`${text}\n`);
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Returns the parameters of a request if it is the expected redirect. */
function answerIn({ method, url = "" }: IncomingMessage, state: string): URLSearchParams | undefined {
  if (method !== "GET" || !URL.canParse(url, "http://127.0.0.1")) return undefined;
  const { pathname, searchParams } = new URL(url, "http://127.0.0.1");
  if (pathname !== PATH) return undefined;
  return timingSafeEqual(digest(searchParams.get("state") ?? ""), digest(state)) ? searchParams : undefined;
}

/** Closes the oldest connection if there are too many, because the browser's is the newest. */
function closeOldest(server: Server): void {
  const open = new Set<Socket>();
  server.on("connection", (socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    const [oldest] = open;
    if (open.size > MAX_CONNECTIONS) oldest?.destroy();
  });
}

/** Listens on loopback, on a given or random port, for one redirect with the given OAuth `state`. RFC 8252, §7.3. */
export async function startCallbackServer(state: string, port = 0): Promise<CallbackServer> {
  let take: (answer: URLSearchParams) => void = () => {};
  const answered = new Promise<URLSearchParams>((resolve) => {
    take = resolve;
  });
  const server = createServer(LIMITS, (request, response) => {
    const answer = answerIn(request, state);
    if (answer === undefined) {
      reply(response, 404, "Nobody waits for this.");
      return;
    }
    reply(response, 200, "Go back to the terminal; this page can be closed.");
    take(answer);
  });
  closeOldest(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  }).catch((cause: unknown) => {
    throw new EngineError("config.invalid", { field: "--port", problem: `port ${port} cannot be opened` }, { cause });
  });
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://127.0.0.1:${bound}${PATH}`,
    answer: (signal) =>
      new Promise((resolve, reject) => {
        const onAbort = (): void => reject(signal.reason);
        if (signal.aborted) onAbort();
        signal.addEventListener("abort", onAbort, { once: true });
        answered.then(resolve, reject);
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
