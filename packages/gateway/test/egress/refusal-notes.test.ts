import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sandboxReadiness } from "@switchyard/environment/local";
import { type EgressDecision, openListedEnvironment } from "@switchyard/gateway/egress";
import { expect, onTestFinished, test } from "vitest";

const { missing } = await sandboxReadiness({ ...process.env });
const NO_SANDBOX = missing.map(({ problem }) => problem).join("; ");

test("a command reports each host that the proxy refused once, with the reason and the option that allows it", async ({
  skip,
}) => {
  skip(missing.length > 0, NO_SANDBOX);
  const root = mkdtempSync(join(realpathSync(tmpdir()), "refusal-notes-"));
  const decisions: EgressDecision[] = [];
  const env = { PATH: process.env["PATH"], HOME: root };
  const environment = await openListedEnvironment(
    { type: "sandbox", root, env, network: "list:registries" },
    (decision) => decisions.push(decision),
  );
  onTestFinished(async () => {
    await environment[Symbol.asyncDispose]();
    rmSync(root, { recursive: true });
  });
  expect(environment.name).toBe("sandbox");
  const output: string[] = [];
  const onOutput = ({ text }: { readonly text: string }): void => void output.push(text);
  const noteOf = (target: string): string =>
    `The network of this environment refused ${target}: the host is not in the list of allowed hosts. The option ` +
    `--env-network list:${target.replace(":443", "")} allows it.\n`;

  const twice =
    "curl -s https://other.example/; curl -s https://other.example/ && echo never; printf 'no line end' >&2";
  const tunnels = await environment.shell(twice, { onOutput });
  expect([tunnels.stdout, tunnels.stderr]).toEqual(["", `no line end\n${noteOf("other.example:443")}`]);
  expect(output.join("")).toContain(noteOf("other.example:443"));
  expect(decisions.map(({ kind }) => kind)).toEqual(["tunnel", "tunnel"]);

  // curl prints the body of this refusal, so it is not repeated.
  const plain = await environment.exec(["curl", "-s", "http://other.example/"]);
  expect([plain.stdout, plain.stderr]).toEqual([noteOf("other.example:80"), ""]);

  const many = 'for i in 1 2 3 4 5 6 7 8 9 10 11 12; do curl -s "https://h$i.example/"; done; exit 0';
  const limited = (await environment.shell(many)).stderr.trimEnd().split("\n");
  expect(limited).toHaveLength(11);
  expect(limited.at(-1)).toBe("Connections to further hosts were refused or failed.");
  expect(await environment.shell("echo quiet")).toMatchObject({ stdout: "quiet\n", stderr: "" });
});
