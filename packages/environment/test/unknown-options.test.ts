import { openEnvironment } from "@switchyard/environment";
import { openDockerEnvironment } from "@switchyard/environment/docker";
import { openKubernetesEnvironment } from "@switchyard/environment/kubernetes";
import { openConfinedEnvironment, openLocalEnvironment, openSandboxedEnvironment } from "@switchyard/environment/local";
import { createMemoryEnvironment } from "@switchyard/environment/memory";
import { openSshEnvironment } from "@switchyard/environment/ssh";
import { openOverlay } from "@switchyard/environment/wrappers";
import { expect, test } from "vitest";

/** A deny list under a wrong name, as a host without type checking may write it. */
const UNKNOWN = { variables: { deny: ["SECRET"] } };

const OPENERS: readonly { readonly name: string; readonly open: () => unknown }[] = [
  { name: "openLocalEnvironment", open: () => openLocalEnvironment({ root: ".", ...UNKNOWN }) },
  { name: "openSandboxedEnvironment", open: () => openSandboxedEnvironment({ root: ".", ...UNKNOWN }) },
  { name: "openConfinedEnvironment", open: () => openConfinedEnvironment({ root: ".", ...UNKNOWN }) },
  { name: "openDockerEnvironment", open: () => openDockerEnvironment({ image: "alpine", ...UNKNOWN }) },
  { name: "openKubernetesEnvironment", open: () => openKubernetesEnvironment({ pod: "p", ...UNKNOWN }) },
  { name: "openSshEnvironment", open: () => openSshEnvironment({ host: "h", ...UNKNOWN }) },
  { name: "createMemoryEnvironment", open: () => createMemoryEnvironment({ maxBytes: undefined, ...UNKNOWN }) },
  { name: "openOverlay", open: () => openOverlay(createMemoryEnvironment(), { maxBytes: undefined, ...UNKNOWN }) },
  { name: "openEnvironment local", open: () => openEnvironment({ type: "local", root: ".", ...UNKNOWN }) },
  { name: "openEnvironment memory", open: () => openEnvironment({ type: "memory", ...UNKNOWN }) },
];

test.each(OPENERS)("$name refuses an option that does not exist, by its name", async ({ open }) => {
  await expect((async () => open())()).rejects.toMatchObject({
    code: "config.invalid",
    message: expect.stringContaining("variables"),
  });
});

test("an unknown option without a value is ignored", async () => {
  await using environment = await openLocalEnvironment({ root: ".", ...{ variables: undefined } });
  expect(environment.platform).toBeTypeOf("string");
});
