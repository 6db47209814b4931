import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startMockModel } from "./mock-model.ts";
import { makeFolder, switchyard } from "./start-switchyard.ts";

const KEY = { ANTHROPIC_API_KEY: "test-key-that-is-not-real" };

test("an agent searches the web only with the user's own instance", async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const results = [{ title: "A page", url: "https://example.org/page", content: "about it" }];
    response.end(JSON.stringify({ results }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  try {
    const search = { name: "web_search", arguments: { query: "what is it" } };
    const { baseUrl, mock } = await startMockModel("anthropic", [search, "Found."]);
    const state = await makeFolder();
    const words = ["run", "--model", "anthropic/m", "--base-url", baseUrl, "--state", state];
    const run = await switchyard([...words, "--web-search", `searxng:http://127.0.0.1:${port}`, "Find it."], {
      env: KEY,
    });
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.stringify(mock.getLastRequest()?.body)).toContain("https://example.org/page");
    expect(asked.every((url) => url === "/search?q=what+is+it&format=json")).toBe(true);

    const without = await startMockModel("anthropic", ["Nothing to find."]);
    const off = words.map((word) => (word === baseUrl ? without.baseUrl : word));
    expect((await switchyard([...off, "Find it."], { env: KEY })).exitCode).toBe(0);
    expect(JSON.stringify(without.mock.getLastRequest()?.body)).not.toContain("web_search");
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

test("an unknown backend, and one whose key is missing, are refused before anything runs", async () => {
  const cwd = await makeFolder({ "switchyard.yaml": "web_search: brave\n" });
  const words = ["run", "--model", "anthropic/m", "Find it."];
  for (const [backend, problem] of [
    ["bing", "Write brave, tavily, or searxng:"],
    ["searxng:http://a:b@localhost/", "Write brave, tavily, or searxng:"],
    ["brave", "brave requires a key in BRAVE_API_KEY"],
  ] as const) {
    const run = await switchyard([...words, "--web-search", backend], { env: KEY });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain(problem);
  }
  // Project settings cannot select the search backend.
  const run = await switchyard([...words, "--trust-workspace"], { cwd, env: KEY });
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain("web_search");
  expect(await readFile(join(cwd, "switchyard.yaml"), "utf8")).toContain("brave");
});
