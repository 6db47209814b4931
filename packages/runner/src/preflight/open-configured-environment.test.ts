import { expect, test } from "vitest";
import { openConfiguredEnvironment } from "./open-configured-environment.ts";

test("an environment whose network is a list of hosts uses the proxy of this machine", async () => {
  const env = { HTTPS_PROXY: "socks5://proxy.example:1080" };
  const config = { type: "sandbox", root: "/", env, network: "list:registries" } as const;
  const opening = openConfiguredEnvironment(config, () => Promise.reject(new Error("It is not opened.")));
  await expect(opening).rejects.toMatchObject({ code: "config.invalid", details: { field: "HTTPS_PROXY" } });
});
