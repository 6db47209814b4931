import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { type NatsServer, natsServerProblem, startNatsServer } from "@switchyard/nats-server";
import { execa } from "execa";
import { expect, onTestFinished, test } from "vitest";
import { startMockModel } from "./mock-model.ts";
import { makeFolder, startSwitchyard, switchyard } from "./start-switchyard.ts";

const PATIENCE_MS = 300_000;
const KEY = { ANTHROPIC_API_KEY: "test-key-that-is-not-real" };
const TOKEN = "token-of-a-broker-that-is-not-real";
const HELD = "echo begun >> effects.txt; while [ -e hold ]; do sleep 0.05; done";

type Skip = (condition: boolean, note?: string) => void;

async function startBroker(skip: Skip, settings = "", hasStreams = true): Promise<NatsServer> {
  skip(natsServerProblem() !== undefined, natsServerProblem());
  const server = await startNatsServer({ settings, hasStreams });
  onTestFinished(() => server.stop());
  return server;
}

async function countConnections({ monitorUrl }: NatsServer): Promise<unknown> {
  const { num_connections: count } = JSON.parse(await (await fetch(`${monitorUrl}/connz`)).text());
  return count;
}

/** Creates a certificate for loopback that is signed by a test authority. */
async function makeCertificates(): Promise<{ ca: string; settings: string }> {
  const folder = await makeFolder({ "names.txt": "subjectAltName=IP:127.0.0.1,DNS:localhost" });
  const openssl = (...words: readonly string[]) => execa("openssl", words, { cwd: folder });
  const fresh = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  await openssl("req", "-x509", ...fresh, "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=test", "-days", "2");
  await openssl("req", ...fresh, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=localhost");
  const signing = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names.txt"];
  await openssl("x509", "-req", "-in", "server.csr", "-out", "server.pem", ...signing);
  const tls = `tls { cert_file: "${join(folder, "server.pem")}", key_file: "${join(folder, "server.key")}" }`;
  return { ca: join(folder, "ca.pem"), settings: `${tls}\nauthorization { token: "${TOKEN}" }` };
}

test(
  "a run that a killed process stored on a broker is listed, watched and resumed by another process",
  async ({ skip }) => {
    const server = await startBroker(skip);
    const store = ["--store", `${server.url}/team`];
    const { baseUrl } = await startMockModel("anthropic", [
      { name: "shell", arguments: { command: HELD } },
      { name: "write_file", arguments: { file_path: "made.txt", content: "made\n" } },
      "All is done.",
    ]);
    const cwd = await makeFolder({ hold: "" });
    const words = ["run", "--model", "anthropic/m", "--base-url", baseUrl, ...store, "Do", "it."];
    const { command: first } = await startSwitchyard(words, { env: KEY, cwd });
    await expect.poll(() => existsSync(join(cwd, "effects.txt"))).toBe(true);
    // Another home folder, so only the broker has data of the first process.
    const elsewhere = { env: { ...KEY, HOME: await makeFolder() }, cwd };
    const listed = await switchyard(["runs", "list", "--json", ...store], elsewhere);
    const [{ run_id: id, status }] = JSON.parse(listed.stdout);
    expect(status, listed.stderr).toBe("running");
    const { command: watching } = await startSwitchyard(
      ["runs", "events", id, "--follow", "--json", ...store],
      elsewhere,
    );
    let watched = "";
    watching.stdout.on("data", (piece) => {
      watched += String(piece);
    });
    await expect.poll(() => watched).toContain('"tool_call_start"');
    first.kill("SIGKILL");
    await first;
    await rm(join(cwd, "hold"));
    const hint = await switchyard(["runs", "show", id, ...store], elsewhere);
    expect(hint.stdout).toContain(id);
    const resumed = await switchyard(["resume", id, ...store, "--take-over"], elsewhere);
    expect(resumed.exitCode, resumed.stderr).toBe(0);
    expect(await readFile(join(cwd, "made.txt"), "utf8")).toBe("made\n");
    watching.kill("SIGTERM");
    await watching;
    const all = await switchyard(["runs", "events", id, "--follow", "--json", ...store], elsewhere);
    const seqs = all.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).seq);
    expect(seqs).toEqual(seqs.map((_: number, index: number) => index + 1));
    const exported = JSON.parse((await switchyard(["runs", "export", id, ...store], elsewhere)).stdout);
    expect([exported.record.status, exported.record.attempt]).toEqual(["completed", 2]);
    expect((await switchyard(["runs", "delete", id, ...store], elsewhere)).exitCode).toBe(0);
    expect(JSON.parse((await switchyard(["runs", "list", "--json", ...store], elsewhere)).stdout)).toEqual([]);
    // Commands that run in the process of the tests, too, have closed their connections.
    await expect.poll(() => countConnections(server)).toBe(0);
  },
  PATIENCE_MS,
);

test(
  "the environment variables are enough to reach a broker that has its own TLS authority and a token; neither is printed",
  async ({ skip }) => {
    const { ca, settings } = await makeCertificates();
    const server = await startBroker(skip, settings);
    const store = ["--store", `${server.url.replace("nats:", "tls:")}/safe`];
    const { baseUrl } = await startMockModel("anthropic", ["Hello."]);
    const cwd = await makeFolder();
    const env = { ...KEY, NATS_TOKEN: TOKEN, NATS_CA: ca };
    const run = await switchyard(["run", "--model", "anthropic/m", "--base-url", baseUrl, ...store, "Greet."], {
      env,
      cwd,
    });
    expect(run.exitCode, run.stderr).toBe(0);
    const listed = await switchyard(["runs", "list", "--json", ...store], { env, cwd });
    expect(JSON.parse(listed.stdout)).toMatchObject([{ status: "completed" }]);
    const refusals = [
      { NATS_TOKEN: "another-token-that-is-wrong", NATS_CA: ca },
      { NATS_CA: ca },
      { NATS_TOKEN: TOKEN },
    ];
    for (const wrong of refusals) {
      const refused = await switchyard(["runs", "list", ...store], { env: wrong, cwd });
      expect([refused.exitCode, refused.stdout], refused.stderr).toEqual([3, ""]);
      expect(refused.stderr).toContain(server.url.replace("nats://", ""));
      expect(refused.stderr).not.toMatch(/another-token|token-of-a-broker|\n {4}at /);
    }
  },
  PATIENCE_MS,
);

test(
  "an unreachable broker, one without persistence and an invalid address are named, with what to do",
  async ({ skip }) => {
    const bare = await startBroker(skip, "", false);
    const away = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => away.once("listening", resolve));
    const address = away.address();
    await new Promise((resolve) => away.close(resolve));
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const gone = await switchyard(["runs", "list", "--store", `nats://127.0.0.1:${port}/x`]);
    expect([gone.exitCode, gone.stderr.includes(`nats://127.0.0.1:${port}`)], gone.stderr).toEqual([3, true]);
    const without = await switchyard(["runs", "list", "--store", bare.url]);
    expect(without.exitCode, without.stderr).toBe(3);
    expect(without.stderr).toMatch(/JetStream/i);
    for (const url of ["http://127.0.0.1", "nats://user:hidden@127.0.0.1:4222/x", "nowhere"]) {
      const refused = await switchyard(["runs", "list", "--store", url]);
      expect([refused.exitCode, refused.stderr.includes("hidden")], refused.stderr).toEqual([2, false]);
    }
  },
  PATIENCE_MS,
);

test(
  "two servers over one broker share their runs",
  async ({ skip }) => {
    const server = await startBroker(skip);
    const { baseUrl } = await startMockModel("anthropic", ["All is done."]);
    const words = [
      "serve",
      "--port",
      "0",
      "--model",
      "anthropic/m",
      "--base-url",
      baseUrl,
      "--store",
      `${server.url}/both`,
    ];
    const serve = async (): Promise<string> => {
      const { command } = await startSwitchyard(words, { env: KEY });
      onTestFinished(async () => {
        command.kill("SIGKILL");
        await command;
      });
      const [printed] = await once(command.stdout, "data");
      return /http:\/\/\S+/u.exec(String(printed))?.[0] ?? "";
    };
    const [first, second] = [await serve(), await serve()];
    const body = JSON.stringify({ input: { messages: [{ role: "user", content: "Do it." }] } });
    const headers = { "content-type": "application/json" };
    const accepted = await fetch(`${first}/v1/runs`, { method: "POST", body, headers });
    expect(accepted.status).toBe(201);
    const { run_id: id } = JSON.parse(await accepted.text());
    const standing = async (): Promise<unknown> => {
      const answer = await fetch(`${second}/v1/runs/${id}`);
      return JSON.parse(await answer.text()).status;
    };
    await expect.poll(standing).toBe("completed");
    const events = await (await fetch(`${second}/v1/runs/${id}/events`)).text();
    expect(events).toContain("All is done.");
    const here = await switchyard(["runs", "list", "--json", "--store", `${server.url}/both`]);
    expect(JSON.parse(here.stdout)).toMatchObject([{ run_id: id, status: "completed" }]);
  },
  PATIENCE_MS,
);
