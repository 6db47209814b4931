import { createServer } from "node:http";
import { NO_USAGE } from "@switchyard/contracts";
import type { ModelAccess, ModelAccessRequest } from "@switchyard/engine";
import { secret } from "@switchyard/secrets";
import { expect, onTestFinished, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { runEngine } from "../../test/run-engine.ts";

const TOKEN: string = ["sw", "run", "token", "0123456789"].join("-");
const URL = "http://127.0.0.1:4242";

function reversed(text: string): string {
  return [...text].reverse().join("");
}

/** A custom block whose command prints its variables backwards, so that they are not masked, and its arguments. */
function printing(env: Readonly<Record<string, string>>, args: readonly string[] = []): object {
  const code = `const reversed = (text = "none") => [...text].reverse().join("");
    console.log(reversed(process.env.MODEL_URL), reversed(process.env.MODEL_TOKEN), process.argv.slice(1).join())`;
  const local = { command: process.execPath, args: ["-e", code, "--", ...args] };
  return { transport: "local", response_format: "text", env, local };
}

const REFERRING = { MODEL_URL: "${model_base_url}/v1", MODEL_TOKEN: "${model_token}" };

test("an engine gets the address and the token of its run, which is closed when the engine ends", async () => {
  await using workspace = await openWorkspace();
  const opened: string[] = [];
  const openModelAccess = async ({ run }: ModelAccessRequest): Promise<ModelAccess> => {
    opened.push(`open ${run.id}`);
    return { baseUrl: URL, token: secret(TOKEN), close: async () => void opened.push("close") };
  };
  const options = { environment: workspace.environment, openModelAccess };
  const { result, error } = await runEngine(printing(REFERRING, ["--url", "${model_base_url}"]), options);
  expect(error).toBeUndefined();
  expect(result?.final_message).toBe(`${reversed(`${URL}/v1`)} ${reversed(TOKEN)} --url,${URL}`);
  expect([opened[0], opened.at(-1)]).toEqual(["open run-1", "close"]);
  const count = opened.length;
  const failed = await runEngine({ ...printing(REFERRING), local: { command: "/nothing/here" } }, options);
  expect(failed.error).toBeDefined();
  expect([opened[count], opened.at(-1)]).toEqual(["open run-1", "close"]);
  opened.length = 0;
  const other = await runEngine(printing({}), options);
  expect(other.result?.final_message).toBe(`${reversed("none")} ${reversed("none")}`);
  expect(opened).toEqual([]);
});

test("the token is refused on a command line, directly and in a parameter", async () => {
  await using workspace = await openWorkspace();
  const openModelAccess = async (): Promise<ModelAccess> => {
    return { baseUrl: URL, token: secret(TOKEN), close: async () => undefined };
  };
  const options = { environment: workspace.environment, openModelAccess };
  const problem = "${model_token} may contain a secret and is refused on command lines";
  await expect(runEngine(printing({}, ["${model_token}"]), options)).rejects.toThrow(problem);
  const hidden = { ...printing({}, ["${kwargs.profile}"]), kwargs: { profile: "${model_token}" } };
  await expect(runEngine(hidden, options)).rejects.toThrow(problem);
});

test("the token is masked in what the engine prints, also if the service received it in a header", async () => {
  await using workspace = await openWorkspace();
  const service = createServer((request, response) => response.end(`I got ${request.headers["authorization"]}`));
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void service.close());
  const address = service.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const openModelAccess = async (): Promise<ModelAccess> => {
    return { baseUrl: URL, token: secret(TOKEN), close: async () => undefined };
  };
  const http = { url, headers: { authorization: "Bearer ${model_token}" } };
  const custom = { transport: "http", response_format: "text", http };
  const { result } = await runEngine(custom, { environment: workspace.environment, openModelAccess });
  expect(result?.final_message).toBe("I got Bearer ***REDACTED***");
});

test.each([
  "http://service.example/review",
  "http://192.0.2.1/",
  "http://localhost.${kwargs.domain}/",
  "${kwargs.url}",
])("a service at %s, which cannot reach a gateway on this machine, does not get the token", async (url) => {
  await using workspace = await openWorkspace();
  let isClosed = false;
  const openModelAccess = async (): Promise<ModelAccess> => {
    const close = async (): Promise<void> => {
      isClosed = true;
    };
    return { baseUrl: URL, token: secret(TOKEN), close };
  };
  const sent: string[] = [];
  const openDispatcher = (): never => {
    sent.push("request");
    throw new Error("No request is sent.");
  };
  const options = { environment: workspace.environment, openModelAccess, openDispatcher };
  const custom = (token: string): object => {
    const http = { url, headers: { authorization: `Bearer ${token}` } };
    return { transport: "http", response_format: "text", kwargs: { domain: "example", url: "http://a.example" }, http };
  };
  const { error } = await runEngine(custom("${model_token}"), options);
  expect(error).toMatchObject({ code: "config.invalid", details: { field: "engine.custom.http.url" } });
  expect([isClosed, sent]).toEqual([true, []]);
  await runEngine(custom("${model_token:-none}"), options);
  expect(sent).toEqual(["request"]);
});

test("without a gateway, references need a default", async () => {
  await using workspace = await openWorkspace();
  const { environment } = workspace;
  const { error } = await runEngine(printing(REFERRING), { environment });
  expect(error).toMatchObject({ code: "config.invalid", message: expect.stringContaining("offers no model gateway") });
  const defaults = { MODEL_URL: "${model_base_url:-none}", MODEL_TOKEN: "${model_token:-}" };
  const { result } = await runEngine(printing(defaults), { environment });
  expect(result?.final_message).toBe(reversed("none"));
});

test("if the access measures the usage, the engine's own figures count as far as they exceed it", async () => {
  await using workspace = await openWorkspace();
  const code = `console.log(JSON.stringify({ final_message: "Done.", exit_code: 0, input_tokens: 70, output_tokens: 20 }))`;
  const local = { command: process.execPath, args: ["-e", code] };
  const custom = { transport: "local", env: REFERRING, local };
  const reported = async (measuresUsage: boolean, measured?: number): Promise<unknown> => {
    const openModelAccess = async (): Promise<ModelAccess> => {
      // The second value is what is measured during the call.
      const usages = [NO_USAGE, { inputTokens: measured ?? 0, outputTokens: 0, totalTokens: measured ?? 0 }];
      const measuredUsage = measured === undefined ? undefined : () => usages.shift() ?? NO_USAGE;
      return { ...{ baseUrl: URL, token: secret(TOKEN), measuresUsage, measuredUsage }, close: async () => undefined };
    };
    const { host, error, result } = await runEngine(custom, { environment: workspace.environment, openModelAccess });
    expect([error, result?.input_tokens]).toEqual([undefined, measuresUsage ? undefined : 70]);
    return [host.totalUsage.totalTokens, host.types().includes("warning")];
  };
  expect(await reported(false)).toEqual([90, false]);
  expect(await reported(true)).toEqual([0, false]);
  expect(await reported(true, 90)).toEqual([0, false]);
  expect(await reported(true, 30)).toEqual([60, true]);
  expect(await reported(true, 0)).toEqual([90, true]);
});
