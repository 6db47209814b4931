import { EngineError } from "@switchyard/contracts";
import type { ReceivedCall } from "@switchyard/testkit";
import { but, carrier, isMap, listOf, retold, type WrongTransport } from "./wrong-transport.ts";

function files(change: (file: Readonly<Record<string, unknown>>) => object): WrongTransport["factory"] {
  return but({
    setting: carrier(({ files: entries }) =>
      entries === undefined ? {} : { files: listOf(entries).filter(isMap).map(change) },
    ),
  });
}

function bytes(change: (body: Buffer) => Uint8Array): (call: ReceivedCall) => ReceivedCall {
  return (call) =>
    call.request === undefined
      ? call
      : { ...call, request: { ...call.request, body: change(Buffer.from(call.request.body)) } };
}

/** Transports that call services incorrectly. */
export const wrongRequests: readonly WrongTransport[] = [
  {
    fault: "any method is as good as POST",
    noticedBy: ["http-transport/request"],
    factory: but({ setting: carrier(() => ({ method: undefined })) }),
  },
  {
    fault: "headers are not sent",
    noticedBy: ["http-transport/headers", "http-transport/header-lines"],
    factory: but({ setting: carrier(() => ({ headers: undefined })) }),
  },
  {
    fault: "line breaks in headers are blanks",
    noticedBy: ["http-transport/header-lines"],
    factory: but({
      setting: carrier(({ headers = {} }) => ({ headers: retold(headers, (text) => text.replace("\\r\\n", " ")) })),
    }),
  },
  {
    fault: "characters that headers cannot hold are left out",
    noticedBy: ["http-transport/header-characters"],
    factory: but({ input: (input) => ({ ...input, case_id: input.case_id?.replace(/[^ -~]/gu, "") }) }),
  },
  {
    fault: "variables of the engine are headers",
    noticedBy: ["http-transport/env-unsent"],
    factory: but({ setting: carrier((_, { custom: { env } }) => (isMap(env) ? { headers: env } : {})) }),
  },
  {
    fault: "the body is always the SessionInput",
    noticedBy: ["http-transport/body", "http-transport/body-kinds", "http-transport/files-body"],
    factory: but({ setting: carrier(() => ({ request_body: undefined })) }),
  },
  {
    fault: "structures in a body are texts",
    noticedBy: ["http-transport/body", "http-transport/body-kinds", "http-transport/files-body"],
    factory: but({
      setting: carrier(({ request_body: body }) => ({
        request_body: retold(body, (text) => text.replace(/"\$\{(messages|session_input|kwargs)\}"/g, '"${$1_json}"')),
      })),
    }),
  },
  {
    fault: "the path of the address is lost",
    noticedBy: ["http-transport/url", "http-transport/url-secret"],
    factory: but({ setting: carrier(() => ({ path: "/" })) }),
  },
  {
    fault: "every bad status is 500",
    noticedBy: ["http-transport/status"],
    factory: but({
      outcome: ({ error }) =>
        EngineError.is(error, "transport.http_status")
          ? { error: new EngineError("transport.http_status", { ...error.details, status: 500 }) }
          : {},
    }),
  },
  {
    fault: "redirects are followed",
    noticedBy: ["http-transport/redirects"],
    factory: but({
      call: (call) =>
        (call.service?.status ?? 200) < 400 ? { ...call, service: { ...call.service, status: 200 } } : call,
    }),
  },
  {
    fault: "a packed answer is not unpacked",
    noticedBy: ["http-transport/packed"],
    factory: but({
      call: (call) =>
        call.service?.isPacked === true
          ? { ...call, service: { ...call.service, headers: { "content-encoding": "identity" } } }
          : call,
    }),
  },
  {
    fault: "the limit is counted in packed bytes",
    noticedBy: ["http-transport/packed"],
    factory: but({
      call: (call) => (call.service?.isPacked === true ? { ...call, fill: Math.min(call.fill ?? 0, 1000) } : call),
    }),
  },
];

const UPLOADS = [
  "files",
  "files-globs",
  "files-all",
  "files-missing",
  "files-optional",
  "files-outside",
  "files-links",
];

/** Transports that send files incorrectly. */
export const wrongUploads: readonly WrongTransport[] = [
  {
    fault: "no files are sent",
    noticedBy: [...UPLOADS, "files-body"].map((name) => `http-transport/${name}`),
    factory: but({ setting: carrier(() => ({ files: undefined })) }),
  },
  {
    fault: "files are texts",
    noticedBy: ["http-transport/files"],
    factory: but({ received: bytes((body) => Buffer.from(body.toString("utf8"))) }),
  },
  {
    fault: "all patterns select everything",
    noticedBy: ["http-transport/files-globs", "http-transport/files-missing"],
    factory: files((file) => (/[*?[]/.test(String(file["path"])) ? { ...file, path: "**/*" } : file)),
  },
  {
    fault: "patterns do not look into folders",
    noticedBy: ["http-transport/files-all", "http-transport/files-globs"],
    factory: files((file) => ({ ...file, path: String(file["path"]).replace("**/", "") })),
  },
  {
    fault: "every entry is optional",
    noticedBy: ["http-transport/files-missing"],
    factory: files((file) => ({ ...file, required: false })),
  },
  {
    fault: "every entry is required",
    noticedBy: ["http-transport/files-optional"],
    factory: files((file) => ({ ...file, required: true })),
  },
  {
    fault: "paths are made to lie inside",
    noticedBy: ["http-transport/files-outside"],
    factory: files((file) => ({ required: false, path: String(file["path"]).replace(/^\/|\.\.\//g, "") })),
  },
  {
    fault: "links are followed to wherever they lead",
    noticedBy: ["http-transport/files-links"],
    factory: but({
      before: (environment) =>
        environment.shell(
          "[ -h way-out ] || exit 0; rm way-out file-out; mkdir way-out; echo secret >file-out; cp file-out way-out/passwd",
        ),
    }),
  },
];
