import { mkdir, readFile } from "node:fs/promises";
import { createServer } from "node:https";
import { join } from "node:path";
import { execa } from "execa";
import { expect, onTestFinished, test } from "vitest";
import { KEY } from "./run-in-repository.ts";
import { makeFolder, switchyardProcess } from "./start-switchyard.ts";

/**
 * Starts a loopback server whose certificate is signed by a private authority. It responds to every request with 401.
 */
async function startPrivateServer() {
  const folder = await makeFolder();
  const openssl = (...words: string[]) => execa("openssl", words, { cwd: folder });
  const subject = (name: string) => ["-subj", `/CN=${name}`];
  const newKey = ["-newkey", "rsa:2048", "-nodes", "-keyout"];
  await openssl("req", "-x509", ...newKey, "ca.key", "-out", "ca.pem", "-days", "2", ...subject("Test CA"));
  await openssl(
    "req",
    ...newKey,
    "key.pem",
    "-out",
    "csr.pem",
    ...subject("localhost"),
    "-addext",
    "subjectAltName=DNS:localhost",
  );
  await openssl(
    ...["x509", "-req", "-in", "csr.pem", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-out", "cert.pem"],
    ...["-days", "2", "-copy_extensions", "copy"],
  );
  const [key, cert] = [await readFile(join(folder, "key.pem")), await readFile(join(folder, "cert.pem"))];
  let requests = 0;
  const server = createServer({ key, cert }, (_, response) => {
    requests += 1;
    response.writeHead(401, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { folder, authority: join(folder, "ca.pem"), url: `https://localhost:${port}`, requests: () => requests };
}

test("the error for an unknown certificate names the variable to set; each of three variables makes it trusted", async () => {
  const { authority, folder, url, requests } = await startPrivateServer();
  const run = async (env: Readonly<Record<string, string>>) =>
    switchyardProcess(["run", "--model", "anthropic/m", "--base-url", url, "--state", await makeFolder(), "go"], {
      cwd: await makeFolder(),
      env: { ...KEY, ...env },
    });
  const unknown = await run({});
  expect(unknown.stderr + unknown.stdout).toContain("NODE_EXTRA_CA_CERTS");
  expect(unknown.stderr + unknown.stdout).toContain("is not trusted");
  expect(requests()).toBe(0);
  const authorities = join(folder, "authorities");
  await mkdir(authorities);
  await execa("cp", [authority, join(authorities, "0123abcd.0")]);
  for (const env of [
    { SSL_CERT_FILE: authority },
    { SSL_CERT_DIR: `/nonexistent:${authorities}` },
    { NODE_EXTRA_CA_CERTS: authority },
  ]) {
    const before = requests();
    const known = await run(env);
    expect(known.stderr + known.stdout).not.toContain("is not trusted");
    expect(requests()).toBe(before + 1);
  }
  expect((await run({ SSL_CERT_FILE: "/nonexistent" })).stderr).toContain("NODE_EXTRA_CA_CERTS");
});
