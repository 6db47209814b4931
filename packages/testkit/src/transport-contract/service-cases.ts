// biome-ignore-all lint/suspicious/noTemplateCurlyInString: configurations contain variable references.
import assert from "node:assert/strict";
import { applies, type CaseBody } from "../contract/define-contract.ts";
import type { ReceivedRequest } from "./engine-behaviour.ts";
import { partsOf } from "./form-parts.ts";
import {
  API_KEY,
  assertRefused,
  type CaseRun,
  type CaseSetting,
  DONE,
  failureOf,
  inputOf,
  resultOf,
  type TransportBench,
  type TransportRun,
  userMessages,
} from "./transport-bench.ts";

function requestOf(run: TransportRun): ReceivedRequest {
  const [call] = run.received;
  if (call?.request === undefined) {
    failureOf(run);
    assert.fail("The service was not called.");
  }
  return call.request;
}

function bodyOf(run: TransportRun): unknown {
  return JSON.parse(new TextDecoder().decode(requestOf(run).body));
}

/** Returns names and contents of a request's files, without the payload. */
function filesOf(run: TransportRun): Record<string, string> {
  const files = partsOf(requestOf(run)).filter(({ name }) => name === "files");
  return Object.fromEntries(files.map(({ filename, content }) => [filename, content.toString("latin1")]));
}

/** Conformance cases for requests and responses. */
export const requestCases: readonly CaseBody<TransportBench>[] = [
  {
    id: "http-transport/request",
    requirement: ["custom-config-14", "custom-http-5", "custom-config-7"],
    title: "Sends a POST request with the SessionInput as JSON",
    async check(bench) {
      for (const method of [undefined, "POST", "post"]) {
        const run = await bench.run({ carrier: method === undefined ? {} : { method } });
        const { method: sent, headers } = requestOf(run);
        assert.equal(sent, "POST");
        assert.match(headers["content-type"] ?? "", /^application\/json/);
        assert.deepEqual(bodyOf(run), inputOf(run));
      }
      await assertRefused(bench, { carrier: { method: "GET" } }, { mentions: "engine.custom.http.method" });
    },
  },
  {
    id: "http-transport/headers",
    requirement: ["custom-http-1", "custom-http-5", "custom-credentials-3"],
    title: "Renders and sends headers, including a custom content type",
    async check(bench) {
      const headers = {
        ...{ "X-Case": "${case_id}", Authorization: "Bearer ${api_key}", "x-word": "${CONTRACT_WORD:-w}" },
        "content-type": "application/vnd.acme+json",
      };
      const run = await bench.run({ apiKey: API_KEY, carrier: { headers } }, { input: { case_id: "c1" } });
      const sent = requestOf(run).headers;
      const seen = ["x-case", "authorization", "x-word", "content-type"].map((name) => sent[name]);
      assert.deepEqual(seen, ["c1", `Bearer ${API_KEY}`, "w", "application/vnd.acme+json"]);
    },
  },
  {
    id: "http-transport/header-lines",
    requirement: "custom-http-17",
    title: "Rejects a header with a line break before any request, wherever the line break comes from",
    async check(bench) {
      const header = "x-word";
      await assertRefused(bench, { carrier: { headers: { "x-word": "a\r\nX-Other: b" } } }, { mentions: header });
      const variables = { CONTRACT_WORD: "a\nb" };
      await assertRefused(
        bench,
        { variables, carrier: { headers: { "x-word": "${CONTRACT_WORD}" } } },
        { mentions: header },
      );
      const headers = { "x-word": "${prompt}" };
      await assertRefused(
        bench,
        { carrier: { headers } },
        { mentions: header, input: { messages: userMessages("a\r\nX-Other: b") } },
      );
    },
  },
  {
    id: "http-transport/header-characters",
    requirement: ["custom-http-17", "custom-errors-1"],
    title: "Rejects a header with characters that headers cannot contain before any request",
    async check(bench) {
      const headers = { "x-case": "${case_id}" };
      await assertRefused(
        bench,
        { carrier: { headers } },
        { mentions: "x-case", input: { case_id: "\u6f22 \u{1f600}" } },
      );
    },
  },
  {
    id: "http-transport/env-unsent",
    requirement: ["custom-credentials-4", "custom-credentials-3"],
    title: "Does not send custom.env",
    async check(bench) {
      const run = await bench.run({ custom: { env: { CONTRACT_WORD: "value-of-the-variable" } } });
      resultOf(run);
      assert.doesNotMatch(run.received[0]?.surroundings ?? "", /value-of-the-variable|CONTRACT_WORD/i);
    },
  },
  {
    id: "http-transport/body",
    requirement: ["custom-http-1", "custom-http-2", "custom-http-3", "custom-http-4"],
    title: "Preserves keys, scalars and structures of a custom body, and renders its texts",
    async check(bench) {
      const request_body = {
        ...{ "${case_id}": "${case_id}", number: 20, flag: true, nothing: null, list: ["${prompt}", 1.5, []] },
        ...{ messages: "${messages}", kwargs: "${kwargs}", input: "${session_input}", text: "m: ${messages_json}" },
        ...{ key: "${api_key}", word: "${CONTRACT_WORD:-w}" },
      };
      const custom = { kwargs: { profile: "strict" } };
      const run = await bench.run({ apiKey: API_KEY, custom, carrier: { request_body } }, { input: { case_id: "c" } });
      const workspace = run.subject?.environment.workingDirectory;
      const messages = userMessages("Say hello.");
      assert.deepEqual(bodyOf(run), {
        ...{ "${case_id}": "c", number: 20, flag: true, nothing: null, list: ["Say hello.", 1.5, []], messages },
        ...{ kwargs: custom.kwargs, input: { case_id: "c", workspace, kwargs: custom.kwargs, messages } },
        ...{ text: `m: ${JSON.stringify(messages)}`, key: API_KEY, word: "w" },
      });
    },
  },
  {
    id: "http-transport/body-kinds",
    requirement: ["custom-http-2", "custom-http-4", "custom-templates-4"],
    title: "Accepts a list, a text, a scalar or a single structure as the body",
    async check(bench) {
      const sent = async (request_body: unknown): Promise<unknown> =>
        bodyOf(await bench.run({ carrier: { request_body } }));
      assert.deepEqual(await sent(["${messages}", "${prompt}"]), [userMessages("Say hello."), "Say hello."]);
      assert.deepEqual(await sent("${messages}"), userMessages("Say hello."));
      assert.deepEqual([await sent("hi: ${prompt}"), await sent(7), await sent(false)], ["hi: Say hello.", 7, false]);
    },
  },
  {
    id: "http-transport/url",
    requirement: ["custom-http-1", "custom-env-refs-5"],
    title: "Renders the path and the query of the URL",
    async check(bench) {
      const carrier = { path: "/v1/${kwargs.route}/run?case=${case_id}" };
      const run = await bench.run({ carrier, custom: { kwargs: { route: "fast" } } }, { input: { case_id: "c1" } });
      assert.equal(requestOf(run).path, "/v1/fast/run?case=c1");
    },
  },
  {
    id: "http-transport/url-secret",
    requirement: ["custom-strict-8", "custom-strict-7"],
    title: "Rejects a secret in the URL before any request, however it gets there",
    async check(bench) {
      const apiKey = "key-of-the-address";
      const variables = { CONTRACT_TOKEN: "x", CONTRACT_WORD: apiKey };
      for (const name of ["api_key", "CONTRACT_TOKEN", "CONTRACT_WORD", "session_input_json"]) {
        const carrier = { path: `/run?k=\${${name}}` };
        await assertRefused(bench, { apiKey, variables, carrier }, { mentions: "http.url" });
      }
    },
  },
  {
    id: "http-transport/status",
    requirement: ["custom-http-7", "custom-errors-1"],
    title: "Returns a non-2xx status as the exit code, and its body as stderr",
    async check(bench) {
      for (const status of [400, 401, 404, 429, 500, 503]) {
        const run = await bench.run({ does: { text: "why not", service: { status } } });
        const { details, message } = failureOf(run, "transport.http_status");
        assert.equal(details["status"], status);
        assert.ok(message.includes(String(status)), message);
        assert.deepEqual([run.result?.exit_code, run.result?.stderr], [status, "why not"]);
      }
      const created = await bench.run({ does: { answer: DONE, service: { status: 201 } } });
      assert.equal(resultOf(created).exit_code, 0);
    },
  },
  {
    id: "http-transport/redirects",
    requirement: ["custom-http-12", "custom-http-14"],
    title: "Does not follow redirects, so that credentials reach no other server",
    async check(bench) {
      for (const status of [301, 302, 303, 307, 308]) {
        const service = { status, headers: { location: "/elsewhere" } };
        const setting = { apiKey: API_KEY, credential: "${api_key}" };
        const run = await bench.run({ ...setting, does: { answer: DONE, service } });
        failureOf(run, "transport.http_status");
        assert.equal(run.received.length, 1);
      }
    },
  },
  {
    id: "http-transport/packed",
    requirement: ["custom-http-9", "custom-http-13"],
    title: "Decompresses a compressed response, and applies the size limit to the decompressed bytes",
    async check(bench) {
      const service = { isPacked: true };
      assert.equal(resultOf(await bench.run({ does: { answer: DONE, service } })).final_message, "done");
      const answer = { exit_code: 0, final_message: "@fill@" };
      const bomb = await bench.run({ does: { answer, fill: 70 * 1024 * 1024, service } });
      failureOf(bomb, "transport.response_too_large");
    },
  },
  {
    id: "http-transport/absolute-artifacts",
    requirement: "custom-artifacts-8",
    title: "Does not allow a service to name host files by absolute path, even inside the workspace",
    async check(bench) {
      const files = ["@workspace@/out/a.txt", "C:\\a.txt"].map((path) => ({ name: "a", path }));
      const artifacts = { files, generated_files: ["@workspace@/out/a.txt"] };
      const run = await bench.run({ does: { answer: { ...DONE, artifacts } } }, { files: { "out/a.txt": "" } });
      assert.deepEqual(resultOf(run).artifacts, { files: [], generated_files: [] });
    },
  },
];

const TREE: CaseRun = {
  files: {
    "diff.patch": Buffer.from([0, 13, 10, 255, 45, 45]),
    ...{ "src/main.go": "main", "src/deep/er/a b.go": "deep", "src/readme.md": "text", ".hidden": "dot" },
    ...{ ".git/config": "no", "src/.git/HEAD": "no", "[odd].txt": "odd" },
  },
};

function sending(...files: readonly (string | { readonly path: string; readonly required: boolean })[]): CaseSetting {
  return { carrier: { files: files.map((file) => (typeof file === "string" ? { path: file } : file)) } };
}

/** Conformance cases for uploaded files. */
export const uploadCases: readonly CaseBody<TransportBench>[] = [
  {
    id: "http-transport/files",
    requirement: ["custom-http-6", "custom-http-files-4", "custom-http-files-5", "custom-http-files-9"],
    title:
      "Sends a multipart request with files: the SessionInput as payload, each file as a part with its path and bytes",
    async check(bench) {
      const { carrier } = sending("diff.patch", "src/main.go");
      const headers = { "Content-Type": "application/json" };
      const run = await bench.run({ carrier: { ...carrier, headers } }, TREE);
      assert.match(requestOf(run).headers["content-type"] ?? "", /^multipart\/form-data; *boundary=/);
      const [payload, ...files] = partsOf(requestOf(run));
      assert.equal(payload?.name, "payload");
      assert.deepEqual(JSON.parse(payload?.content.toString() ?? ""), inputOf(run));
      assert.deepEqual(inputOf(run).messages, userMessages("Say hello."));
      assert.deepEqual(
        files.map(({ name, filename, content }) => [name, filename, content.toString("latin1")]),
        [
          ["files", "diff.patch", "\0\r\n\u00ff--"],
          ["files", "src/main.go", "main"],
        ],
      );
    },
  },
  {
    id: "http-transport/files-globs",
    requirement: ["custom-http-files-2", "custom-http-files-6", "custom-http-files-12", "custom-http-files-14"],
    title: "Selects only files with patterns, each once and in order, excluding version control",
    async check(bench) {
      const sent = async (...paths: readonly string[]): Promise<string[]> => {
        const run = await bench.run(sending(...paths), TREE);
        resultOf(run);
        return Object.keys(filesOf(run));
      };
      assert.deepEqual(await sent("src/**/*.go", "./src/main.go", "src/*.go"), ["src/deep/er/a b.go", "src/main.go"]);
      assert.deepEqual(await sent("src/*"), ["src/main.go", "src/readme.md"]);
      assert.deepEqual(await sent("src/ma?n.[a-h]o"), ["src/main.go"]);
      assert.deepEqual(await sent("./diff.patch"), ["diff.patch"]);
    },
  },
  {
    id: "http-transport/files-all",
    requirement: ["custom-http-files-3", "custom-http-files-12"],
    title: "Selects every file of the workspace, including hidden ones, with **/*",
    async check(bench) {
      const run = await bench.run(sending("**/*"), TREE);
      const names = Object.keys(filesOf(run));
      const expected = Object.keys(TREE.files ?? {}).filter((name) => !name.includes(".git/"));
      assert.deepEqual(names, expected.sort());
    },
  },
  {
    id: "http-transport/files-missing",
    requirement: ["custom-http-files-7", "custom-config-15"],
    title: "Rejects a missing required file, or a required pattern without a match, before any request",
    async check(bench) {
      for (const path of ["nope.patch", "nope/**/*.go", "src"]) {
        await assertRefused(bench, sending("diff.patch", path), { mentions: "http.files[1]", ...TREE });
        await assertRefused(bench, sending({ path, required: true }), { mentions: path, ...TREE });
      }
    },
  },
  {
    id: "http-transport/files-optional",
    requirement: "custom-http-files-8",
    title: "Skips an optional entry that matches nothing, and still sends a multipart request",
    async check(bench) {
      const optional = ["nope.patch", "nope/**/*"].map((path) => ({ path, required: false }));
      const run = await bench.run(sending("diff.patch", ...optional), TREE);
      assert.deepEqual(Object.keys(filesOf(run)), ["diff.patch"]);
      const none = await bench.run(sending(...optional), TREE);
      assert.match(requestOf(none).headers["content-type"] ?? "", /^multipart\/form-data; boundary=/);
      assert.deepEqual(Object.keys(filesOf(none)), []);
    },
  },
  {
    id: "http-transport/files-outside",
    requirement: "custom-http-files-1",
    title: "Rejects a path that is absolute or contains a parent segment",
    async check(bench) {
      for (const path of ["/etc/passwd", "../x", "src/../../x", "src/../diff.patch", "**/../*"]) {
        await assertRefused(bench, sending(path), { mentions: "http.files[0]", ...TREE });
      }
    },
  },
  {
    id: "http-transport/files-links",
    requirement: ["custom-http-files-10", "custom-http-files-9"],
    title: "Does not send files outside the workspace that symbolic links point to",
    async check(bench) {
      const { environment } = await bench.open();
      const script = "ln -s /etc way-out && ln -s /etc/passwd file-out";
      applies((await environment.shell(script)).exitCode === 0, "symbolic links cannot be created in this environment");
      const run = await bench.run(sending("**/*"), { ...TREE, script });
      assert.deepEqual(
        Object.keys(filesOf(run)).filter((name) => name.includes("-out")),
        [],
      );
      await assertRefused(bench, sending("file-out"), { mentions: "file-out", ...TREE, script });
      await assertRefused(bench, sending("way-out/passwd"), { mentions: "way-out", ...TREE, script });
    },
  },
  {
    id: "http-transport/files-no-artifacts",
    requirement: "custom-http-files-11",
    title: "Excludes sent files from the artifacts",
    async check(bench) {
      const run = await bench.run(sending("**/*"), TREE);
      assert.equal(resultOf(run).artifacts, undefined);
    },
  },
  {
    id: "http-transport/files-body",
    requirement: ["custom-http-6", "custom-http-2"],
    title: "Sends a custom body as the payload if files are sent",
    async check(bench) {
      const carrier = { ...sending("diff.patch").carrier, request_body: { input: "${messages}" } };
      const [payload] = partsOf(requestOf(await bench.run({ carrier }, TREE)));
      assert.deepEqual(JSON.parse(payload?.content.toString() ?? ""), { input: userMessages("Say hello.") });
    },
  },
];
