import type { ModelGateway } from "@switchyard/gateway";
import { secret } from "@switchyard/secrets";
import { expect, test } from "vitest";
import { createGatewayPool, type GatewaySettings } from "./gateway-pool.ts";

const settings = (key: string, baseUrl?: string): GatewaySettings => {
  return { upstreams: { openai: { apiKey: secret(key), baseUrl } }, proxy: undefined };
};

test("runs with equal settings share a gateway, which is closed with the last of them", async () => {
  const log: string[] = [];
  const pool = createGatewayPool(async ({ upstreams }) => {
    const key = upstreams["openai"]?.apiKey?.reveal() ?? "";
    log.push(`open ${key}`);
    const close = async (): Promise<void> => void log.push(`close ${key}`);
    const openRun: ModelGateway["openRun"] = () => Promise.reject(new Error("No run is opened."));
    return { openRun, close, [Symbol.asyncDispose]: close };
  });
  const [first, second, other] = await Promise.all([
    pool.acquire(settings("a")),
    pool.acquire(settings("a")),
    pool.acquire(settings("b")),
  ]);
  expect(first?.gateway).toBe(second?.gateway);
  expect(first?.gateway).not.toBe(other?.gateway);
  await first?.release();
  await first?.release();
  expect(log).toEqual(["open a", "open b"]);
  await second?.release();
  expect(log).toEqual(["open a", "open b", "close a"]);
  const again = await pool.acquire(settings("a"));
  const elsewhere = await pool.acquire(settings("a", "http://127.0.0.1:1/v1"));
  const priced = await pool.acquire({ ...settings("a"), prices: { m: { input: 1, output: 2 } } });
  expect(log).toEqual(["open a", "open b", "close a", "open a", "open a", "open a"]);
  for (const lease of [again, elsewhere, priced, other]) await lease?.release();
  expect(log.slice(6)).toEqual(["close a", "close a", "close a", "close b"]);
});

test("a gateway that could not be opened is opened again for the next run", async () => {
  let attempts = 0;
  const pool = createGatewayPool(async () => {
    attempts += 1;
    throw new Error(`attempt ${attempts}`);
  });
  await expect(pool.acquire(settings("a"))).rejects.toThrow("attempt 1");
  await expect(pool.acquire(settings("a"))).rejects.toThrow("attempt 2");
});
