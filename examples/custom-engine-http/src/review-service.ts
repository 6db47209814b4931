import { createServer } from "node:http";
import { text } from "node:stream/consumers";

/** A running service. */
export interface RunningService extends AsyncDisposable {
  /** Address of the service. */
  readonly url: string;
}

/** Starts the engine: a service that receives a SessionInput and responds with a SessionResult. */
export async function startReviewService(apiKey: string): Promise<RunningService> {
  const server = createServer(async (request, response) => {
    const { authorization } = request.headers;
    if (authorization !== `Bearer ${apiKey}`) {
      response.writeHead(401).end(`This is no key of ours: ${authorization}`);
      return;
    }
    const { messages } = JSON.parse(await text(request));
    const said = `Reviewed: ${messages.at(-1).content}`;
    const files = [{ name: "report.md", content: `# Review\n\n${said}\n`, content_type: "text/markdown" }];
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ exit_code: 0, final_message: said, artifacts: { files } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
