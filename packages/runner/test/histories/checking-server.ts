import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Client } from "@switchyard/contracts";
import {
  createAnthropicProvider,
  createClient,
  createGeminiProvider,
  createOpenAiProvider,
  type ProviderOptions,
} from "@switchyard/llm";
import { type Family, problemsOf } from "./wire-checks.ts";

const CREATE = { openai: createOpenAiProvider, anthropic: createAnthropicProvider, gemini: createGeminiProvider };

/** A whole answer of each API. */
const ANSWER: Readonly<Record<Family, object>> = {
  openai: {
    id: "resp_1",
    created_at: 1,
    model: "gpt-5.1",
    output: [
      {
        type: "message",
        role: "assistant",
        id: "msg_1",
        content: [{ type: "output_text", text: "ok", annotations: [] }],
      },
    ],
    usage: { input_tokens: 1, output_tokens: 1 },
    incomplete_details: null,
  },
  anthropic: {
    type: "message",
    id: "msg_1",
    model: "claude-sonnet-4-5",
    role: "assistant",
    content: [{ type: "text", text: "ok" }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  },
  gemini: {
    responseId: "resp_1",
    candidates: [{ content: { role: "model", parts: [{ text: "ok" }] }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  },
};

function familyOf(path: string): Family {
  if (path.includes("/v1beta/")) return "gemini";
  return path.endsWith("/messages") ? "anthropic" : "openai";
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return JSON.parse(text);
}

/** A server that speaks the three wire formats and refuses what the real ones refuse. */
export interface CheckingServer extends AsyncDisposable {
  /** Why it refused requests. */
  readonly refusals: string[];
  /** How many requests it took. */
  readonly taken: number;
  /** A client of one of its APIs. */
  clientOf(family: Family): Client;
}

/** Starts one on the loopback interface. */
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
        JSON.stringify(problems.length === 0 ? ANSWER[family] : { error: { message: problems.join("; ") } }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address() as AddressInfo;
  return {
    refusals,
    get taken() {
      return taken;
    },
    clientOf(family) {
      const baseUrl = `http://127.0.0.1:${address.port}${family === "gemini" ? "/v1beta" : "/v1"}`;
      const options: ProviderOptions = { apiKey: "sk-test", baseUrl };
      return createClient({ providers: { [family]: CREATE[family](options) }, defaultProvider: family });
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
