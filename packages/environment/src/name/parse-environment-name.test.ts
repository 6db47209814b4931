import fc from "fast-check";
import { expect, test } from "vitest";
import { parseEnvironmentName } from "./parse-environment-name.ts";

test("names are parsed into the type of environment and its parts", () => {
  const digest = `busybox@sha256:${"a".repeat(64)}`;
  expect(parseEnvironmentName("local")).toEqual({ type: "local" });
  expect(parseEnvironmentName("docker:registry.example.org:5000/team/node:22")).toEqual({
    type: "docker",
    image: "registry.example.org:5000/team/node:22",
  });
  expect(parseEnvironmentName(`k8s:${digest}`)).toEqual({ type: "kubernetes", image: digest });
  expect(parseEnvironmentName("docker:@web_1:/srv/app")).toEqual({
    type: "docker",
    container: "web_1",
    folder: "/srv/app",
  });
  expect(parseEnvironmentName("k8s:@web-0/app:/srv")).toEqual({
    type: "kubernetes",
    pod: "web-0",
    container: "app",
    folder: "/srv",
  });
  expect(parseEnvironmentName("ssh:host")).toEqual({ type: "ssh", host: "host" });
  expect(parseEnvironmentName("ssh:me@build.example.org:2222/srv/my project")).toEqual({
    type: "ssh",
    host: "build.example.org",
    user: "me",
    port: 2222,
    folder: "/srv/my project",
  });
  expect(parseEnvironmentName("ssh:me@[fe80::1%eth0]:22/srv")).toMatchObject({
    host: "fe80::1%eth0",
    user: "me",
    port: 22,
  });
});

test.for([
  ["", /Write local, sandbox/],
  ["docker", /docker:IMAGE/],
  ["podman:alpine", /docker:IMAGE/],
  ["kubernetes:@web", /k8s:@POD/],
  ["LOCAL", /Write local/],
  ["docker:", /name of an image/],
  ["docker:--privileged", /name of an image/],
  ["docker:a b", /name of an image/],
  ["docker:@", /name or id of a container/],
  ["docker:@-v", /name or id of a container/],
  ["docker:@web:/a/../b", /absolute path/],
  ["k8s:@Web", /name of a pod/],
  ["k8s:@web/a/b", /name of a pod/],
  ["ssh:", /ssh:\[USER@\]HOST/],
  ["ssh:-oProxyCommand=x", /ssh:\[USER@\]HOST/],
  ["ssh:-l@host", /ssh:\[USER@\]HOST/],
  ["ssh:me:secret@host", /password/],
  ["ssh:host:0", /port/],
  ["ssh:host:70000/srv", /port/],
  ["ssh:host:srv", /port/],
  ["ssh:host/srv/./x", /absolute path/],
  ["ssh:host/srv\n", /absolute path/],
] as const)("%j is not the name of an environment, and the error says what to write", ([text, expected]) => {
  expect(parseEnvironmentName(text)).toEqual({ problem: expect.stringMatching(expected) });
});

test("any text is either a name without embedded options, or an error of one sentence", () => {
  const text = fc.string({ unit: fc.constantFrom(..."aZ0-_.:/@[]% \n\0é"), maxLength: 20 });
  const typed = fc.tuple(fc.constantFrom("", "docker:", "docker:@", "ssh:", "k8s:", "k8s:@"), text);
  fc.assert(
    fc.property(typed, ([prefix, rest]) => {
      const parsed = parseEnvironmentName(`${prefix}${rest}`);
      if ("problem" in parsed) {
        expect(parsed.problem).toMatch(/^[A-Z][^\n]*\.$/);
        return;
      }
      for (const value of Object.values(parsed)) {
        if (typeof value !== "string") continue;
        expect(value).not.toMatch(/^-|[\n\0]/);
      }
    }),
  );
});
