import { createServer, type IncomingMessage } from "node:http";
import type { Client } from "@switchyard/contracts";
import {
  createAnthropicProvider,
  createClient,
  createGeminiProvider,
  createOpenAiProvider,
  type ProviderOptions,
} from "@switchyard/llm";
import { wireResponse } from "@switchyard/testkit";
import { type Family, problemsOf } from "./wire-checks.ts";

const CREATE = { openai: createOpenAiProvider, anthropic: createAnthropicProvider, gemini: createGeminiProvider };

function familyOf(path: string): Family {
  if (path.includes("/v1beta/")) return "gemini";
  return path.endsWith("/messages") ? "anthropic" : "openai";
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return JSON.parse(text);
}

/** A server that supports the three wire formats and refuses requests that the real servers refuse. */
export interface CheckingServer extends AsyncDisposable {
  /** Why it refused requests. */
  readonly refusals: string[];
  /** Number of accepted requests. */
  readonly taken: number;
  /** A client of one of its APIs. */
  clientOf(family: Family): Client;
}

/** Starts a checking server on the loopback interface. */
export async function startCheckingServer(): Promise<CheckingServer> {
  const refusals: string[] = [];
  let taken = 0;
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const family = familyOf(request.url ?? "");
      const problems = problemsOf(family, body);
      refusals.push(...problems.map((problem) => `${family}: ${problem}`));
      taken += 1;
      response.writeHead(problems.length === 0 ? 200 : 400, { "content-type": "application/json" });
      response.end(
        JSON.stringify(
          problems.length === 0 ? wireResponse(family, "ok") : { error: { message: problems.join("; ") } },
        ),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    refusals,
    get taken() {
      return taken;
    },
    clientOf(family) {
      const baseUrl = `http://127.0.0.1:${port}${family === "gemini" ? "/v1beta" : "/v1"}`;
      const options: ProviderOptions = { apiKey: "sk-test", baseUrl };
      return createClient({ providers: { [family]: CREATE[family](options) }, defaultProvider: family });
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
