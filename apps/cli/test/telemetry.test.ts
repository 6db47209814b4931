import { expect, test } from "vitest";
import { openReceiver } from "./open-receiver.ts";
import { makeFolder, startSwitchyard, switchyardProcess } from "./start-switchyard.ts";

const KEY = "sk-telemetry-key-of-nobody-0123456789";
const [TRACE, SPAN] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];

const ENGINE = `engine:
  name: worker
  model: { provider: acme-ai, name: large }
  custom:
    transport: local
    env: { SERVICE_KEY: "\${api_key}" }
    local:
      command: ${process.execPath}
      args: [-e, 'console.log(JSON.stringify({ exit_code: 0, final_message: process.env.SERVICE_KEY }))']
`;

/** Opens a collector. `sent` returns path, team header and body of each request. */
async function openCollector(): Promise<{ url: string; sent(): string[] }> {
  const { url, requests } = await openReceiver();
  return { url, sent: () => requests.map(({ path, headers, body }) => `${path} ${headers["x-team"]} ${body}`) };
}

test("a run is reported to the collector named by the variables, below the span they name", async () => {
  const { url, sent } = await openCollector();
  const cwd = await makeFolder({ "engine.yaml": ENGINE });
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_HEADERS: "x-team=yard",
    OTEL_SERVICE_NAME: "nightly",
    TRACEPARENT: `00-${TRACE}-${SPAN}-01`,
  };
  const words = ["run", "--engine", "./engine.yaml", "--api-key", KEY, "Do it."];
  const { exitCode, stderr } = await switchyardProcess(words, { cwd, env });
  expect([exitCode, stderr.includes("telemetry")]).toEqual([0, false]);
  const traces = sent()
    .filter((text) => text.startsWith("/v1/traces yard "))
    .join("\n");
  expect(traces).toContain('"name":"invoke_agent worker"');
  expect(traces).toContain(`"parentSpanId":"${SPAN}"`);
  expect(traces).toContain("nightly");
  expect(sent().some((text) => text.startsWith("/v1/metrics yard "))).toBe(true);
  expect(sent().join("\n")).not.toContain(KEY);
});

test("an evaluation sends its runs, and their results as events below the span of each run", async () => {
  const { url, sent } = await openCollector();
  const script = ENGINE.replace("custom:", "custom:\n    response_format: text");
  const cases = "cases: [{ id: c, prompt: x, assert: [{ contains: absent }] }]";
  const cwd = await makeFolder({ "engine.yaml": script, "eval.yaml": `engines: [engine.yaml]\n${cases}\n` });
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: url, ACME_AI_API_KEY: KEY };
  const { exitCode } = await switchyardProcess(["eval", "eval.yaml", "--output", "out"], { cwd, env });
  expect(exitCode).toBe(1);
  const bodyOf = (path: string): string => sent().find((text) => text.startsWith(path)) ?? "";
  const [, logs = "{}"] = /^\S+ \S+ (.*)$/s.exec(bodyOf("/v1/logs")) ?? [];
  const records = JSON.parse(logs).resourceLogs[0].scopeLogs[0].logRecords;
  expect(records.map(({ eventName }: { eventName: string }) => eventName)).toEqual([
    "gen_ai.evaluation.result",
    "gen_ai.evaluation.result",
  ]);
  expect(logs).toContain('{"key":"gen_ai.evaluation.score.label","value":{"stringValue":"FAIL"}}');
  expect(logs).toContain('{"key":"switchyard.eval.case","value":{"stringValue":"c"}}');
  expect(bodyOf("/v1/traces")).toContain(`"spanId":"${records[0].spanId}"`);
  expect(sent().join("\n")).not.toContain(KEY);
});

test("a collector that is away costs one warning and no run", async () => {
  const cwd = await makeFolder({ "engine.yaml": ENGINE });
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" };
  const { exitCode, stderr } = await switchyardProcess(
    ["run", "--engine", "./engine.yaml", "--api-key", KEY, "Do it."],
    {
      cwd,
      env,
    },
  );
  expect(exitCode).toBe(0);
  expect(stderr.match(/warning: telemetry cannot reach its collector: .+/g)).toHaveLength(1);
});

test("a server reports the runs of its callers, each below the caller's span", async () => {
  const { url, sent } = await openCollector();
  const cwd = await makeFolder({ "engine.yaml": ENGINE });
  const words = ["serve", "--engine", "./engine.yaml", "--api-key", KEY, "--port", "0"];
  const { command } = await startSwitchyard(words, { cwd, env: { OTEL_EXPORTER_OTLP_ENDPOINT: url } });
  const address = await new Promise<string>((resolve) => {
    command.stdout.on("data", (text) => {
      const [, found] = /Serving on (\S+)/.exec(String(text)) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const answer = await fetch(`${address}/v1/run`, {
    method: "POST",
    headers: { "content-type": "application/json", traceparent: `00-${TRACE}-${SPAN}-01` },
    body: JSON.stringify({ messages: [{ role: "user", content: "Do it." }] }),
  });
  expect(answer.status).toBe(200);
  command.kill("SIGTERM");
  expect((await command).exitCode).toBe(0);
  expect(sent().join("\n")).toContain(`"parentSpanId":"${SPAN}"`);
});
