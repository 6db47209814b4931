import { describe, expect, test } from "vitest";
import { runPlan } from "../test/run-codex.ts";
import { codex } from "./index.ts";

const KEY = "sk-the-key-of-nobody-0123456789";
const END = {
  method: "turn/completed",
  params: { threadId: "thread-new", turnId: "turn-1", turn: { id: "turn-1", status: "completed" } },
};
const TEXT = {
  method: "item/completed",
  params: { threadId: "thread-new", turnId: "turn-1", item: { type: "agentMessage", id: "m", text: "Done." } },
};

describe("the setting base_url", () => {
  const settings = { base_url: "http://127.0.0.1:9/v1", api_key_env: "ACME_API_KEY" };

  test("defines a model provider on the command line, with the name of the variable that has the key", async () => {
    const { error, requests } = await runPlan(
      { turn: [TEXT, END] },
      { config: settings, variables: { ACME_API_KEY: KEY } },
    );
    expect(error).toBeUndefined();
    const provider = "model_providers.switchyard";
    expect(requests[0]?.args).toEqual([
      ...["-c", 'model_provider="switchyard"', "-c", `${provider}.name="Switchyard"`],
      ...["-c", `${provider}.base_url="http://127.0.0.1:9/v1"`, "-c", `${provider}.wire_api="responses"`],
      ...["-c", `${provider}.env_key="ACME_API_KEY"`],
    ]);
    expect(codex.create(settings).modelRoute).toMatchObject({ directReason: expect.stringContaining("base_url") });
  });

  test("is an address without a password, and api_key_env belongs to it", () => {
    for (const base_url of ["not an address", "ftp://a", "https://user:password@a"])
      expect(() => codex.create({ base_url })).toThrow(/base_url/);
    expect(() => codex.create({ api_key_env: "A" })).toThrow(/has an effect only with base_url/);
  });
});
