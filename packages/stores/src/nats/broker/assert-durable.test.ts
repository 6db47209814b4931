import { expect, test } from "vitest";
import { parseServerState } from "./assert-durable.ts";

test("only a server that declares it flushes each message [D2]", () => {
  const config = { max_memory: 1, max_storage: 1, store_dir: "/data", sync_interval: 120_000_000_000 };
  const page = { server_id: "NA", now: "2026-01-01T00:00:00Z", config, memory: 0, storage: 0 };
  expect(parseServerState({ ...page, config: { ...config, sync_always: true } })).toEqual({
    serverId: "NA",
    isSynced: true,
  });
  for (const unsynced of [page, { ...page, config: undefined }, { ...page, config: { sync_always: "true" } }]) {
    expect(parseServerState(unsynced)).toEqual({ serverId: "NA", isSynced: false });
  }
  for (const other of [null, "NA", {}, { config: { sync_always: true } }]) {
    expect(parseServerState(other)).toBeUndefined();
  }
});
