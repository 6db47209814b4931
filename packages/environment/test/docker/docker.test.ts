import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { BUSYBOX_IMAGE, SHELL_LESS_IMAGE, type TestEngine } from "@switchyard/container-engines";
import { openConnectionRelay } from "@switchyard/environment";
import type { DockerImageOptions } from "@switchyard/environment/docker";
import {
  buildDockerImage,
  openDockerContainer,
  openDockerEnvironment,
  sweepDockerContainers,
} from "@switchyard/environment/docker";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { killTestClients } from "../engine/kill-own-clients.ts";
import { runKilledHost } from "../engine/run-killed-host.ts";
import { createSurroundings, documentedReach, KEY_VARIABLES, measureReach } from "../reach/measure-reach.ts";
import { ENGINES } from "./engines.ts";
import { importPerl, PERL_IMAGE } from "./import-perl.ts";

describe.each(ENGINES)("$client", ({ client, start }) => {
  let engine: TestEngine;
  let missing: string | undefined;
  beforeAll(async () => {
    const started = await start();
    if ("missing" in started) ({ missing } = started);
    else engine = started;
  });
  afterAll(() => (missing === undefined ? engine.stop() : undefined), 300_000);
  beforeEach(({ skip }) => skip(missing !== undefined, `${client} cannot be used: ${missing}`));

  const options = (more: Partial<DockerImageOptions> = {}): DockerImageOptions => ({
    image: BUSYBOX_IMAGE,
    pull: "never",
    client,
    hostEnv: engine.hostEnv,
    ...more,
  });
  const open = async (more: Partial<DockerImageOptions> = {}) => {
    const environment = await openDockerEnvironment(options(more));
    onTestFinished(() => environment[Symbol.asyncDispose]());
    return environment;
  };
  const containers = async (): Promise<string[]> => {
    const text = await engine.must("ps", "--all", "--format", "{{.Names}}");
    return text.split("\n").filter((name) => name !== "");
  };
  const newFolder = (name: string): string => {
    const folder = join(mkdtempSync(join(engine.folder, "work-")), name);
    mkdirSync(folder);
    return folder;
  };
  /** Starts a container that does not belong to this process. */
  const startForeign = async (...args: string[]): Promise<string> => {
    const name = `foreign-${Math.random().toString(36).slice(2)}`;
    const script = "trap 'exit 0' TERM; while :; do sleep 60 & wait $!; done";
    onTestFinished(async () => void (await engine.run("rm", "-f", "-v", name)));
    await engine.must("run", "-d", "--name", name, "--network", "none", ...args, BUSYBOX_IMAGE, "sh", "-c", script);
    return name;
  };

  test("with a proxy, commands reach the proxy and nothing else; an image without an interpreter is refused", async () => {
    await importPerl(engine);
    const socketPath = join(engine.folder, "proxy.sock");
    const server = createServer((socket) => {
      socket.once("data", (data) => socket.end(`HTTP/1.0 200 OK\r\n\r\n${String(data).split("\r\n")[0]}\n`));
    });
    await new Promise<void>((resolve) => server.listen({ path: socketPath, writableAll: true }, resolve));
    onTestFinished(() => void server.close());
    const closed: string[] = [];
    const proxy = (name: string) => ({ socketPath, [Symbol.asyncDispose]: async () => void closed.push(name) });
    const network = "list:a.example";
    await expect(open({ network, proxy: proxy("refused") })).rejects.toMatchObject({
      code: "environment.unavailable",
      message: expect.stringContaining("needs perl, python3 or node in the image"),
    });
    const environment = await open({ network, image: PERL_IMAGE, proxy: proxy("open") });
    const script = "wget -q -O - http://a.example/; ip link | grep -c '^[0-9]'; echo $HTTPS_PROXY";
    const { stdout } = await environment.shell(script);
    expect(stdout.split("\n")).toEqual(["GET http://a.example/ HTTP/1.1", "1", "http://127.0.0.1:3128", ""]);
    expect(await environment.exposeSocket?.()).toBeUndefined();
    const relay = await openConnectionRelay(environment, (connection) => server.emit("connection", connection));
    const relayed = await environment.shell(`wget -Y off -q -O - ${relay.url}/relayed`);
    expect(relayed.stdout).toBe("GET /relayed HTTP/1.1\n");
    await environment[Symbol.asyncDispose]();
    await relay.ended;
    expect(closed).toEqual(["open"]);
    expect(await containers()).toEqual([]);
  });

  test("a snapshot has the files of a container and none of its processes, and a container made from it begins with new folders", async () => {
    const { client: _, hostEnv, ...limits } = options();
    const setup = { ...limits, client, hostEnv, emptyFolders: ["/fresh"] };
    const [context, files, copied] = [newFolder("context"), newFolder("files"), newFolder("copied")];
    writeFileSync(
      join(context, "Dockerfile"),
      `FROM ${BUSYBOX_IMAGE}\nWORKDIR /srv/app\nRUN mkdir -p /v && echo of-image >a.txt\nVOLUME /v\n`,
    );
    writeFileSync(join(files, "check.txt"), "checked");
    const image = "switchyard-test/snapshot:1";
    await buildDockerImage({ client, hostEnv, folder: context, image });
    const first = await openDockerContainer({ ...setup, image, emptyFolders: [] });
    const { environment } = first;
    expect([environment.workingDirectory, await environment.readFile("a.txt")]).toEqual(["/srv/app", "of-image\n"]);
    await environment.shell(
      "mkdir -p /fresh /opt; echo x >/fresh/planted; echo y >/opt/kept; echo z >/v/kept; rm a.txt; setsid sleep 1000 &",
    );
    const snapshot = await first.snapshot();
    expect(snapshot.changedPaths).toEqual(expect.arrayContaining(["/opt/kept", "/fresh/planted"]));
    await expect(environment.readFile("a.txt")).rejects.toMatchObject({ code: "environment.closed" });
    const second = await openDockerContainer({ ...setup, image: snapshot.image, snapshot, files: { "/fresh": files } });
    const { stdout } = await second.environment.shell(
      "ls; ls /fresh; cat /opt/kept /v/kept; ps | grep -c '[s]leep 1000'",
    );
    expect(stdout).toBe("check.txt\ny\nz\n0\n");
    await second.copyOut("/fresh", copied);
    expect(readFileSync(join(copied, "fresh/check.txt"), "utf8")).toBe("checked");
    await second[Symbol.asyncDispose]();
    await snapshot[Symbol.asyncDispose]();
    await first[Symbol.asyncDispose]();
    expect(await containers()).toEqual([]);
    expect(await engine.must("volume", "ls", "--quiet")).toBe("");
    expect(await engine.must("images", "--quiet", "--filter", "label=switchyard.owner")).toBe("");
  });

  test("a build that fails names its last output, and an image that is absent is refused", async () => {
    const folder = newFolder("context");
    writeFileSync(join(folder, "Dockerfile"), `FROM ${BUSYBOX_IMAGE}\nRUN echo because; exit 3\n`);
    const built = buildDockerImage({ client, hostEnv: engine.hostEnv, folder, image: "switchyard-test/fails:1" });
    await expect(built).rejects.toMatchObject({
      code: "environment.unavailable",
      details: { problem: expect.stringMatching(/could not be built[\s\S]*because/) },
    });
    await expect(openDockerContainer({ ...options(), image: "switchyard-test/absent:1" })).rejects.toMatchObject({
      code: "environment.unavailable",
      details: { problem: "the image does not exist; build or pull it, or check its name." },
    });
  });

  test("commands and files are in the container, which reaps orphaned processes and is removed with its volume at the end [loop-4.3-1]", async () => {
    const environment = await openDockerEnvironment(options());
    expect(await containers()).toHaveLength(1);
    await environment.writeFile("src/a.txt", "one\ntwo\n");
    expect(await environment.readFile("src/a.txt")).toBe("one\ntwo\n");
    const { stdout, stderr, exitCode } = await environment.shell("cat src/a.txt; pwd; echo oops >&2; exit 3");
    expect([stdout, stderr, exitCode]).toEqual(["one\ntwo\n/workspace\n", "oops\n", 3]);
    expect(environment).toMatchObject({ name: `docker:${BUSYBOX_IMAGE}`, workingDirectory: "/workspace" });
    const orphan = "(setsid sh -c 'sleep 0.1' &); sleep 0.5; grep -l '^State:.Z' /proc/*/status";
    expect((await environment.shell(orphan)).stdout).toBe("");
    await environment[Symbol.asyncDispose]();
    await environment[Symbol.asyncDispose]();
    expect(await containers()).toEqual([]);
    expect(await engine.must("volume", "ls", "--quiet")).toBe("");
  });

  test("there is no network, no host variable is passed, and commands reach what the page about the reach of agents says [loop-4.3-1]", async () => {
    const surroundings = await createSurroundings();
    const hidden = { HTTP_PROXY: "http://me:password@proxy.invalid:1", SECRET_OF_HOST: "x" };
    const environment = await open({ hostEnv: { ...engine.hostEnv, ...KEY_VARIABLES, ...hidden } });
    expect((await environment.exec(["ls", "/sys/class/net"])).stdout.split(/\s+/).filter(Boolean)).toEqual(["lo"]);
    const { stdout } = await environment.shell("env; cat /proc/1/environ");
    expect(stdout).not.toMatch(/SECRET_OF_HOST|proxy\.invalid/);
    expect(await measureReach(environment, surroundings)).toEqual(documentedReach("docker"));
  });

  test("limits are enforced, and a command that exceeds its memory exits with 137", async () => {
    const environment = await open({ memory: "64m", cpus: 0.5, pids: 40 });
    const [name = ""] = await containers();
    const limits = JSON.parse(await engine.must("inspect", "--format", "{{json .HostConfig}}", name));
    expect(limits).toMatchObject({ Memory: 64 * 1024 * 1024, CpuQuota: 50_000, CpuPeriod: 100_000, PidsLimit: 40 });
    const result = await environment.shell("head -c 200000000 /dev/zero | tail -c 200000000 >/dev/null; exit $?");
    expect(result.exitCode).toBe(137);
    // If memory runs out, a process of the command is killed, not the process that keeps the container alive.
    const { stdout } = await environment.shell("cat /proc/self/oom_score_adj /proc/1/oom_score_adj");
    const [ofCommand = 0, ofFirst = 0] = stdout.split("\n").map(Number);
    expect(ofCommand).toBeGreaterThan(ofFirst);
    const forks = await environment.shell("i=0; while [ $i -lt 60 ]; do sleep 5 & i=$((i+1)); done; echo all");
    expect(forks.stdout).not.toContain("all");
    expect((await environment.exec(["echo", "still here"])).stdout).toBe("still here\n");
  });

  test("a host folder of any name can be the workspace", async () => {
    const workspace = newFolder('odd, "name":x');
    writeFileSync(join(workspace, "in.txt"), "from the host");
    const environment = await open({ workspace, workingDirectory: "/code" });
    expect(await environment.readFile("/code/in.txt")).toBe("from the host");
    await environment.writeFile("out.txt", "from the container");
    expect(readFileSync(join(workspace, "out.txt"), "utf8")).toBe("from the container");
    await environment[Symbol.asyncDispose]();
    expect(existsSync(join(workspace, "out.txt"))).toBe(true);
  });

  test("another user can write to the workspace but not to system folders", async () => {
    const environment = await open({ user: "1000:1000" });
    expect((await environment.exec(["id", "-u"])).stdout).toBe("1000\n");
    await environment.writeFile("a.txt", "mine");
    expect((await environment.shell("touch /etc/b")).exitCode).not.toBe(0);
  });

  test("with a read-only root, the workspace and /tmp are writable", async () => {
    const environment = await open({ readOnlyRoot: true });
    const { stdout } = await environment.shell("touch /etc/x || echo refused; touch /tmp/x && touch x && echo written");
    expect(stdout).toBe("refused\nwritten\n");
  });

  test("a running container is left unchanged", async () => {
    const name = await startForeign("--mount", "type=volume,target=/data", "--workdir", "/data");
    const environment = await openDockerEnvironment({ container: name, client, hostEnv: engine.hostEnv });
    expect(environment).toMatchObject({ name: `docker:@${name}`, workingDirectory: "/data" });
    await environment.writeFile("a.txt", "kept");
    await environment[Symbol.asyncDispose]();
    expect(await engine.must("exec", name, "cat", "/data/a.txt")).toBe("kept");
  });

  test("no process or file remains in an existing container, even after its clients were killed [loop-4.3-1]", async () => {
    const name = await startForeign("--mount", "type=volume,target=/data", "--workdir", "/data");
    const environment = await openDockerEnvironment({
      container: name,
      client,
      hostEnv: engine.hostEnv,
      killGraceMs: 200,
    });
    const command = environment.exec(["sleep", "301"]);
    const spawned = await environment.spawn(["sh", "-c", "sleep 302 & echo up; wait"]);
    await spawned.stdout.getReader().read();
    const id = await engine.must("ps", "--no-trunc", "--quiet", "--filter", `name=${name}`);
    expect(killTestClients(id)).toBeGreaterThan(0);
    await Promise.allSettled([command, spawned.exited]);
    await environment[Symbol.asyncDispose]();
    await expect.poll(() => engine.must("exec", name, "ps", "-o", "args")).not.toMatch(/sleep 30[12]/);
  });

  test("the container of a killed host is swept; containers of live hosts are not", async () => {
    const living = await open();
    const [spared = ""] = await containers();
    await runKilledHost("docker", options());
    expect(await containers()).toHaveLength(2);
    expect(await sweepDockerContainers({ client, hostEnv: engine.hostEnv })).toBe(1);
    expect(await containers()).toEqual([spared]);
    expect(await sweepDockerContainers({ client, hostEnv: engine.hostEnv })).toBe(0);
    expect((await living.exec(["echo", "alive"])).stdout).toBe("alive\n");
  });

  test("a killed host leaves no process in an existing container", async () => {
    const name = await startForeign("--mount", "type=volume,target=/data", "--workdir", "/data");
    await runKilledHost("docker", { container: name, client, hostEnv: engine.hostEnv, killGraceMs: 200 });
    await expect.poll(() => engine.must("exec", name, "ps", "-o", "args")).not.toMatch(/sleep 70[12]/);
    expect(await sweepDockerContainers({ client, hostEnv: engine.hostEnv })).toBe(0);
  });

  test("the next environment removes containers of a killed host", async () => {
    await runKilledHost("docker", options());
    expect(await containers()).toHaveLength(1);
    const environment = await openDockerEnvironment(options());
    await environment[Symbol.asyncDispose]();
    expect(await containers()).toEqual([]);
  });

  test("an aborted start leaves no container", async () => {
    const stop = new AbortController();
    const opening = openDockerEnvironment(options({ signal: stop.signal }));
    setTimeout(() => stop.abort(), 150);
    await expect(opening).rejects.toThrow();
    expect(await containers()).toEqual([]);
  });

  test.each([
    ["image that is not there", { image: "switchyard-test/nowhere:1" }, /the image is not there/],
    ["image without a shell", { image: SHELL_LESS_IMAGE }, /has no `sh`/],
    ["user that the image has not", { user: "nobody-of-that-name" }, /no such user/],
    ["network that is not there", { network: "nowhere" }, /the network does not exist/],
  ])("%s is reported in one sentence, and leaves no container", async (_, more, problem) => {
    await expect(openDockerEnvironment(options(more))).rejects.toMatchObject({
      code: "environment.unavailable",
      message: expect.stringMatching(problem),
    });
    expect(await containers()).toEqual([]);
  });

  test("a missing or stopped container is reported", async () => {
    const settings = { client, hostEnv: engine.hostEnv };
    await expect(openDockerEnvironment({ ...settings, container: "nowhere" })).rejects.toMatchObject({
      code: "environment.unavailable",
      message: expect.stringContaining("the container does not exist"),
    });
    const name = await startForeign();
    await engine.must("stop", "-t", "1", name);
    await expect(openDockerEnvironment({ ...settings, container: name })).rejects.toMatchObject({
      code: "environment.unavailable",
      message: expect.stringContaining("exited, not running"),
    });
  });

  test("removal of the container during use is reported, and no call hangs", async () => {
    const environment = await openDockerEnvironment(options());
    await engine.must("rm", "--force", (await containers())[0] ?? "");
    await expect(environment.readFile("a.txt")).rejects.toMatchObject({ code: "environment.unavailable" });
    await environment[Symbol.asyncDispose]();
  });

  test("a workspace that is not a folder is rejected", async () => {
    const folder = newFolder("empty");
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "file"), "");
    const opening = (workspace: string) => openDockerEnvironment(options({ workspace }));
    await expect(opening(join(folder, "absent"))).rejects.toMatchObject({ code: "workspace.not_found" });
    await expect(opening(join(folder, "file"))).rejects.toMatchObject({ code: "workspace.not_a_directory" });
  });
});
