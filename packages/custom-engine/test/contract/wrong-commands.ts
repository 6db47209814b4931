import { readFileSync } from "node:fs";
import { EngineError } from "@switchyard/contracts";
import type { CallBehaviour, CommandBehaviour, TransportSetting } from "@switchyard/testkit";
import {
  butLocal,
  carrier,
  custom,
  isMap,
  listOf,
  reported,
  results,
  retold,
  type WrongTransport,
} from "./wrong-transport.ts";

function command(change: (command: CommandBehaviour) => CommandBehaviour): (call: CallBehaviour) => CallBehaviour {
  return (call) => (call.command === undefined ? call : { ...call, command: change(call.command) });
}

function responseOf({ behaviour }: TransportSetting): unknown {
  return behaviour.calls[0]?.answer;
}

/** Transports that start commands incorrectly. */
export const wrongStarting: readonly WrongTransport[] = [
  {
    fault: "arguments are one line that is split at blanks",
    noticedBy: ["local-transport/arguments"],
    factory: butLocal({
      setting: carrier(({ args }) => ({ args: args === undefined ? args : listOf(args).join(" ").split(" ") })),
    }),
  },
  {
    fault: "nobody looks at the values of arguments",
    noticedBy: [
      "local-transport/secret-arguments",
      "local-transport/secret-values",
      "local-transport/arguments-rendered",
    ],
    factory: butLocal({
      setting: carrier(({ args }) => ({ args: args === undefined ? args : listOf(args).map(() => "ok") })),
    }),
  },
  {
    fault: "every name with key or token in it is a secret",
    noticedBy: ["local-transport/harmless-arguments"],
    factory: butLocal({
      outcome: (_, setting) =>
        /tokens|monkey/.test(JSON.stringify(setting.carrier))
          ? { error: new EngineError("template.secret_in_command", { field: "args", name: "tokens" }) }
          : {},
    }),
  },
  {
    fault: "everything runs at the top of the workspace",
    noticedBy: ["local-transport/folder", "local-transport/confined", "local-transport/confined-links"],
    factory: butLocal({ setting: carrier(() => ({ cwd: undefined })) }),
  },
  {
    fault: "the input file is always the usual one",
    noticedBy: ["local-transport/input-file", "local-transport/confined"],
    factory: butLocal({ setting: carrier(() => ({ input_file: undefined })) }),
  },
  {
    fault: "the command gets no variables of the configuration",
    noticedBy: ["local-transport/variables"],
    factory: butLocal({ setting: custom(() => ({ env: undefined })) }),
  },
  {
    fault: "the command gets all variables of the host",
    noticedBy: ["local-transport/variables", "transport/variables-unasked"],
    factory: butLocal({
      setting: custom(({ env }, { variables }) => ({ env: { ...variables, ...(isMap(env) ? env : {}) } })),
    }),
  },
  {
    fault: "a program that is not found is not named",
    noticedBy: ["local-transport/not-found"],
    factory: butLocal({
      outcome: ({ error }) =>
        EngineError.is(error, "transport.start_failed")
          ? { error: new EngineError("transport.start_failed", { problem: "ENOENT" }) }
          : {},
    }),
  },
];

/** Transports that read the result of a command from the wrong source. */
export const wrongEnvironments: readonly WrongTransport[] = [
  {
    fault: "the output file is not read",
    noticedBy: ["local-transport/output-file", "local-transport/output-file-stale", "local-transport/output-is-input"],
    factory: butLocal({ setting: carrier(() => ({ output_file: undefined })) }),
  },
  {
    fault: "the usual output file is taken for a configured one",
    noticedBy: ["local-transport/stdout"],
    factory: butLocal({ setting: carrier(({ output_file: file = "${output_file}" }) => ({ output_file: file })) }),
  },
  {
    fault: "where an output file is configured, nothing else is a result",
    noticedBy: ["local-transport/output-file-missing", "local-transport/output-is-input"],
    factory: butLocal({
      outcome: ({ result }, { carrier: { output_file: file }, behaviour }) =>
        file !== undefined && (behaviour.calls[0]?.command?.toFile !== true || result?.turns === 1)
          ? { error: new EngineError("result.missing") }
          : {},
    }),
  },
  {
    fault: "a result of an earlier run is one",
    noticedBy: ["local-transport/output-file-stale", "local-transport/output-is-input"],
    factory: butLocal({
      outcome: ({ error }) =>
        EngineError.is(error, "result.missing")
          ? { error: undefined, result: { exit_code: 0, final_message: "old" } }
          : {},
    }),
  },
  {
    fault: "nobody is told that a file was cleared",
    noticedBy: ["local-transport/output-file-stale"],
    factory: butLocal({ event: (envelope) => (envelope.type === "warning" ? undefined : envelope) }),
  },
  {
    fault: "links are followed",
    noticedBy: ["local-transport/output-swapped"],
    factory: butLocal({
      outcome: (_, { behaviour }) =>
        behaviour.calls[0]?.command?.links === undefined
          ? {}
          : { error: new EngineError("result.malformed", { problem: readFileSync("/etc/passwd", "utf8") }) },
    }),
  },
  {
    fault: "a text is read from the output file",
    noticedBy: ["local-transport/text-of-file"],
    factory: butLocal({
      outcome: results((_, setting) =>
        setting.custom["response_format"] === "text" ? { final_message: JSON.stringify(responseOf(setting)) } : {},
      ),
    }),
  },
  {
    fault: "the exit code of the command is swallowed",
    noticedBy: ["local-transport/exit-code", "local-transport/text-of-file"],
    factory: butLocal({ call: command((given) => ({ ...given, exitCode: 0 })) }),
  },
  {
    fault: "standard error is thrown away",
    noticedBy: ["local-transport/stderr", "local-transport/exit-code"],
    factory: butLocal({ call: (call) => ({ ...call, diagnostics: undefined }) }),
  },
  {
    fault: "files of the call are artifacts like any other",
    noticedBy: ["local-transport/own-files"],
    factory: butLocal({
      outcome: results((_, setting) => {
        const answer = responseOf(setting);
        return isMap(answer) ? { artifacts: answer["artifacts"] } : {};
      }),
    }),
  },
  {
    fault: "every absolute path is dropped",
    noticedBy: ["local-transport/absolute-artifacts"],
    factory: butLocal({
      outcome: results(({ artifacts }) => (artifacts === undefined ? {} : { artifacts: { files: [] } })),
    }),
  },
  {
    fault: "what is printed is not told",
    noticedBy: ["local-transport/printed"],
    factory: butLocal({ event: (envelope) => (envelope.type === "stream_delta" ? undefined : envelope) }),
  },
  {
    fault: "what is printed is masked piece by piece",
    noticedBy: ["local-transport/printed"],
    factory: butLocal({
      event: (envelope, { apiKey = "" }) => retold(envelope, (text) => text.replace("***REDACTED***", apiKey)),
    }),
  },
  {
    fault: "a command is over when nobody holds its output any more",
    noticedBy: ["local-transport/child-holds-pipes"],
    factory: butLocal({ call: (call) => (call.command?.leavesChild === true ? { ...call, manner: "hangs" } : call) }),
  },
  {
    fault: "the first message is lost in a file",
    noticedBy: ["local-transport/input-file"],
    factory: butLocal({ received: reported((input, sent) => ({ ...input, messages: sent.messages.slice(1) })) }),
  },
];
