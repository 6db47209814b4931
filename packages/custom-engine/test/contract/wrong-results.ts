import { EngineError } from "@switchyard/contracts";
import type { CallBehaviour, TransportSetting } from "@switchyard/testkit";
import {
  answers,
  but,
  custom,
  isMap,
  listOf,
  type Outcome,
  results,
  retold,
  type WrongTransport,
} from "./wrong-transport.ts";

const DONE = { exit_code: 0, final_message: "done" } as const;
const REDACTED = "***REDACTED***";

function firstCall({ behaviour }: TransportSetting): CallBehaviour {
  return behaviour.calls[0] ?? {};
}

/** Puts the key back wherever it was masked. */
function unmasked({ result, error }: Outcome, { apiKey = "" }: TransportSetting): Partial<Outcome> {
  const key = JSON.stringify(apiKey).slice(1, -1);
  return { result: retold(result, (text) => text.replaceAll(REDACTED, key)), error };
}

/** Transports that tell secrets. */
export const wrongMasking: readonly WrongTransport[] = [
  {
    fault: "nothing is masked in the result",
    noticedBy: [
      ...["final-message", "other-fields", "artifacts", "unasked", "pieces", "text", "diagnostics"].map(
        (name) => `transport/mask-${name}`,
      ),
    ],
    factory: but({ outcome: unmasked }),
  },
  {
    fault: "variables of the engine are no secrets",
    noticedBy: ["transport/mask-env", "transport/mask-rendered-env", "transport/mask-overlap"],
    factory: but({ setting: custom(() => ({ env: undefined })) }),
  },
  {
    fault: "short keys are words like any other",
    noticedBy: ["transport/mask-unasked", "transport/mask-rendered-env"],
    factory: but({
      setting: ({ apiKey = "", ...rest }) => ({ ...rest, apiKey: apiKey.length < 8 ? undefined : apiKey }),
    }),
  },
  {
    fault: "short values are secrets",
    noticedBy: ["transport/mask-env"],
    factory: but({
      outcome: ({ result }) => ({ result: retold(result, (text) => text.replace("[1234567]", `[${REDACTED}]`)) }),
    }),
  },
  {
    fault: "what is filled in is masked too",
    noticedBy: ["transport/mask-not-filled"],
    factory: but({
      outcome: results(({ model }, setting) => ({
        model: JSON.stringify(setting.custom).includes("CONTRACT_MODEL") ? REDACTED : model,
      })),
    }),
  },
  {
    fault: "a key in base64 is none",
    noticedBy: ["transport/mask-forms"],
    factory: but({
      outcome: results(({ final_message: message }, { apiKey = "" }) => ({
        final_message: message.replace(REDACTED, Buffer.from(apiKey).toString("base64")),
      })),
    }),
  },
  {
    fault: "an error repeats the answer",
    noticedBy: ["transport/mask-unreadable", "transport/mask-diagnostics", "transport/mask-cut"],
    factory: but({
      outcome: ({ error }, setting) => {
        if (!EngineError.is(error)) return {};
        const { text, diagnostics } = firstCall(setting);
        return { error: new EngineError(error.code, { ...error.details, problem: text ?? diagnostics }) };
      },
    }),
  },
  {
    fault: "a warning repeats what it is about",
    noticedBy: ["transport/mask-warnings"],
    factory: but({
      event: (envelope, setting) =>
        envelope.type === "warning"
          ? { ...envelope, payload: { ...envelope.payload, message: JSON.stringify(firstCall(setting).answer) } }
          : envelope,
    }),
  },
];

/** Transports that read responses incorrectly. */
export const wrongReading: readonly WrongTransport[] = [
  {
    fault: "a result has to tell its turns",
    noticedBy: ["transport/result-minimal"],
    factory: but({
      outcome: (_, setting) =>
        JSON.stringify(firstCall(setting)).includes("turns")
          ? {}
          : { error: new EngineError("result.invalid", { problem: "turns is required" }) },
    }),
  },
  {
    fault: "a missing exit code is 0",
    noticedBy: ["transport/result-no-code"],
    factory: but({ call: answers((answer) => ({ exit_code: 0, ...answer })) }),
  },
  {
    fault: "an exit code that is none is 0",
    noticedBy: ["transport/result-odd-code"],
    factory: but({ call: (call) => ({ ...call, text: call.text?.replace(/"exit_code": [^,]+/, '"exit_code": 0') }) }),
  },
  {
    fault: "nothing but exit code and final message is read",
    noticedBy: [
      "transport/result-whole",
      "transport/result-wrong-types",
      "transport/transcript-kept",
      "transport/usage",
    ],
    factory: but({
      call: answers(({ exit_code, final_message }) => ({ exit_code, final_message: String(final_message) })),
    }),
  },
  {
    fault: "a result without last words is none",
    noticedBy: ["transport/result-message-empty", "transport/text-empty"],
    factory: but({
      outcome: ({ result, error }) =>
        result?.final_message === "" && error === undefined ? { error: new EngineError("result.missing") } : {},
    }),
  },
  {
    fault: "missing last words are none",
    noticedBy: ["transport/result-message-missing"],
    factory: but({ call: answers((answer) => ({ final_message: "", ...answer })) }),
  },
  {
    fault: "what is unknown is refused, and so is null",
    noticedBy: ["transport/result-unknown-fields", "transport/result-null-fields"],
    factory: but({
      outcome: (_, setting) =>
        /colour|:null/.test(JSON.stringify(firstCall(setting)))
          ? { error: new EngineError("result.invalid", { problem: "it has an unknown field" }) }
          : {},
    }),
  },
  {
    fault: "a result is looked for in what was said",
    noticedBy: ["transport/result-no-json"],
    factory: but({ call: (call) => ({ ...call, text: /^\{.*\}$/m.exec(call.text ?? "")?.[0] ?? call.text }) }),
  },
  {
    fault: "a value that is no object is a result all the same",
    noticedBy: ["transport/result-no-object"],
    factory: but({
      call: (call) => (call.answer === undefined || isMap(call.answer) ? call : { ...call, answer: DONE }),
    }),
  },
  {
    fault: "no answer is a good answer",
    noticedBy: ["transport/result-empty"],
    factory: but({ call: (call) => (call.text?.trim() === "" ? { ...call, text: JSON.stringify(DONE) } : call) }),
  },
  {
    fault: "a deep answer is a crash",
    noticedBy: ["transport/result-deep"],
    factory: but({
      outcome: (_, setting) =>
        (firstCall(setting).text ?? "").includes("[[[[")
          ? { error: new RangeError("Maximum call stack size exceeded") }
          : {},
    }),
  },
  {
    fault: "everything that is wrong is told",
    noticedBy: ["transport/result-crowded"],
    factory: but({
      outcome: ({ error }, setting) =>
        EngineError.is(error, "result.invalid")
          ? { error: new EngineError("result.invalid", { problem: firstCall(setting).text }) }
          : {},
    }),
  },
  {
    fault: "answers are read as Latin-1",
    noticedBy: ["transport/result-bytes"],
    factory: but({
      call: ({ base64, ...call }) =>
        base64 === undefined ? call : { ...call, text: Buffer.from(base64, "base64").toString("latin1") },
    }),
  },
  {
    fault: "each piece of an answer is read by itself",
    noticedBy: ["transport/result-pieces", "transport/mask-pieces"],
    factory: but({
      call: (call) =>
        call.manner === "pieces"
          ? { ...call, text: Buffer.from(JSON.stringify(call.answer)).toString("latin1"), answer: undefined }
          : call,
    }),
  },
  {
    fault: "a megabyte of an answer is enough",
    noticedBy: ["transport/result-large", "transport/artifacts-too-large"],
    factory: but({ call: (call) => ({ ...call, fill: Math.min(call.fill ?? 0, 1_000_000) }) }),
  },
];

/** Transports that change a result. */
export const wrongFilling: readonly WrongTransport[] = [
  {
    fault: "what the engine leaves out stays out",
    noticedBy: ["transport/result-defaults", "transport/transcript-turns", "transport/text-message"],
    factory: but({
      outcome: ({ result }) => {
        if (result === undefined) return {};
        const { exit_code, final_message, transcript, stderr } = result;
        return { result: { exit_code, final_message, transcript, stderr } };
      },
    }),
  },
  {
    fault: "a result that says it failed is an error",
    noticedBy: ["transport/result-claims-failure", "transport/stateful-failed"],
    factory: but({
      outcome: ({ result, error }) =>
        (result?.exit_code ?? 0) === 0
          ? {}
          : { error: error ?? new EngineError("transport.failed", { problem: "it failed" }) },
    }),
  },
  {
    fault: "no transcript is made up",
    noticedBy: ["transport/transcript-missing", "transport/text-message", "transport/result-null-fields"],
    factory: but({
      outcome: ({ result }, setting) => {
        const { answer } = firstCall(setting);
        const isGiven = isMap(answer) && listOf(answer["transcript"]).length > 0;
        return result === undefined || isGiven ? {} : { result: { ...result, transcript: undefined } };
      },
    }),
  },
  {
    fault: "a transcript is brought into order",
    noticedBy: ["transport/transcript-kept", "transport/result-whole"],
    factory: but({
      outcome: results(({ transcript = [] }) => ({
        transcript: [...transcript].sort((left, right) => left.role.localeCompare(right.role)),
      })),
    }),
  },
  {
    fault: "unknown roles are the user's",
    noticedBy: ["transport/transcript-roles"],
    factory: but({
      call: answers((answer) => retold(answer, (text) => text.replace('"robot"', '"user"'))),
    }),
  },
  {
    fault: "every result has one turn",
    noticedBy: ["transport/transcript-turns", "transport/result-whole"],
    factory: but({ outcome: results(() => ({ turns: 1 })) }),
  },
  {
    fault: "tokens are not reported",
    noticedBy: ["transport/usage"],
    factory: but({ host: () => ({ reportUsage: async () => {} }) }),
  },
  {
    fault: "a text is read as a result",
    noticedBy: ["transport/text-of-json", "transport/text-message", "transport/text-empty", "transport/setting-format"],
    factory: but({ setting: custom(() => ({ response_format: undefined })) }),
  },
];

function declared(change: (artifacts: Readonly<Record<string, unknown>>) => object): WrongTransport["factory"] {
  return but({
    call: answers(({ artifacts, ...answer }) => ({
      ...answer,
      artifacts: isMap(artifacts) ? change(artifacts) : artifacts,
    })),
  });
}

function filesWith(change: (file: unknown) => unknown): WrongTransport["factory"] {
  return declared(({ files, ...rest }) => ({ ...rest, files: listOf(files).map(change) }));
}

/** Transports that accept artifacts without checks. */
export const wrongArtifacts: readonly WrongTransport[] = [
  {
    fault: "artifacts are lost",
    noticedBy: ["transport/artifacts-kept", "transport/artifacts-outside", "transport/result-whole"],
    factory: but({ outcome: results(() => ({ artifacts: undefined })) }),
  },
  {
    fault: "artifacts without a name get one",
    noticedBy: ["transport/artifacts-no-name"],
    factory: filesWith((file) => (isMap(file) ? { name: "x", ...file, ...(file["name"] ? {} : { name: "x" }) } : file)),
  },
  {
    fault: "artifacts of nothing are empty",
    noticedBy: ["transport/artifacts-no-source"],
    factory: filesWith((file) => (isMap(file) ? { content: "", ...file } : file)),
  },
  {
    fault: "artifacts that cannot be read are left out",
    noticedBy: ["transport/artifacts-wrong-types"],
    factory: declared(({ files, ...rest }) => ({ ...rest, files: listOf(files).filter(isMap).slice(0, 0) })),
  },
  {
    fault: "artifacts are dropped without a word",
    noticedBy: ["transport/artifacts-outside", "transport/artifacts-schemes", "transport/artifacts-too-many"],
    factory: but({ event: (envelope) => (envelope.type === "warning" ? undefined : envelope) }),
  },
  {
    fault: "whatever was declared is believed",
    noticedBy: [
      ...["transport/artifacts-outside", "transport/artifacts-sibling", "transport/artifacts-links"],
      ...["transport/artifacts-schemes", "transport/mask-artifacts", "http-transport/absolute-artifacts"],
    ],
    factory: but({
      outcome: results((_, setting) => {
        const { answer } = firstCall(setting);
        return isMap(answer) ? { artifacts: answer["artifacts"] } : {};
      }),
    }),
  },
  {
    fault: "a run ends with the first artifact that is refused",
    noticedBy: ["transport/artifacts-outside", "transport/artifacts-schemes"],
    factory: but({
      outcome: ({ warnings }) =>
        warnings === 0 ? {} : { error: new EngineError("result.invalid", { problem: "an artifact was refused" }) },
    }),
  },
  {
    fault: "files that were sent are artifacts",
    noticedBy: ["http-transport/files-no-artifacts"],
    factory: but({
      outcome: results((_, { carrier: { files } }) =>
        files === undefined ? {} : { artifacts: { generated_files: ["a"] } },
      ),
    }),
  },
];
