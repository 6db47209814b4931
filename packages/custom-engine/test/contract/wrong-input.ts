import { EngineError, type SessionMessage } from "@switchyard/contracts";
import { but, carrier, custom, isMap, reported, retold, type WrongTransport } from "./wrong-transport.ts";

function contents(change: (content: string) => string): (messages: readonly SessionMessage[]) => SessionMessage[] {
  return (messages) => messages.map(({ role, content }) => ({ role, content: change(content) }));
}

function remembering(): WrongTransport["factory"] {
  const messages: SessionMessage[] = [];
  return but({
    input: (input) => {
      messages.push(...input.messages);
      return { ...input, messages: [...messages] };
    },
  });
}

function continuing(): WrongTransport["factory"] {
  let runs = 0;
  return but({
    input: (input) => {
      runs += 1;
      return input;
    },
    received: reported((input) => (runs > 1 ? { ...input, session_id: "of another" } : input)),
  });
}

/** Transports that pass a changed session. */
export const wrongInput: readonly WrongTransport[] = [
  {
    fault: "nothing but the last message is sent",
    noticedBy: ["transport/input-conversation", "transport/input-all-fields"],
    factory: but({ input: (input) => ({ ...input, messages: input.messages.slice(-1) }) }),
  },
  {
    fault: "every message is the user's",
    noticedBy: ["transport/input-conversation", "transport/input-no-user"],
    factory: but({
      input: (input) => ({ ...input, messages: input.messages.map(({ content }) => ({ role: "user", content })) }),
    }),
  },
  {
    fault: "messages are trimmed",
    noticedBy: ["transport/input-odd-texts"],
    factory: but({
      input: ({ messages, ...rest }) => ({ ...rest, messages: contents((text) => text.trim())(messages) }),
    }),
  },
  {
    fault: "references in messages are resolved",
    noticedBy: ["transport/input-odd-texts"],
    factory: but({
      input: ({ messages, ...rest }) => ({
        ...rest,
        messages: contents((text) => text.replace("${api_key}", "not for messages"))(messages),
      }),
    }),
  },
  {
    fault: "half a megabyte of a message is enough",
    noticedBy: ["transport/input-large"],
    factory: but({
      input: ({ messages, ...rest }) => ({ ...rest, messages: contents((text) => text.slice(0, 500_000))(messages) }),
    }),
  },
  {
    fault: "case and turns are not told",
    noticedBy: ["transport/input-all-fields", "transport/kwargs-rendered", "transport/kwargs-precedence"],
    factory: but({ input: (input) => ({ ...input, case_id: undefined, max_turns: undefined }) }),
  },
  {
    fault: "what is empty is sent",
    noticedBy: ["transport/input-left-out", "transport/input-message"],
    factory: but({ received: reported((input) => ({ case_id: "", kwargs: {}, ...input })) }),
  },
  {
    fault: "the workspace is what the session claims",
    noticedBy: ["transport/input-workspace", "transport/input-message"],
    factory: but({ received: reported((input, { workspace }) => ({ ...input, workspace })) }),
  },
  {
    fault: "names are written in camel case",
    noticedBy: ["transport/input-all-fields", "transport/input-timeout"],
    factory: but({
      received: reported(({ timeout_seconds: timeoutSeconds, case_id: caseId, ...input }) => ({
        ...{ ...input, timeoutSeconds, caseId },
      })),
    }),
  },
  {
    fault: "the model is not told",
    noticedBy: ["transport/input-model", "transport/input-all-fields", "transport/result-defaults"],
    factory: but({
      setting: (setting) => ({ ...setting, model: undefined }),
      input: (input) => ({ ...input, model: undefined }),
    }),
  },
  {
    fault: "a session that says nothing says hello",
    noticedBy: ["transport/input-no-user"],
    factory: but({
      input: (input) => ({ ...input, messages: [...input.messages, { role: "user", content: "Hello." }] }),
    }),
  },
  {
    fault: "sessions go on with what was said in others",
    noticedBy: ["transport/sessions-apart"],
    factory: remembering(),
  },
  {
    fault: "sessions go on with the id of others",
    noticedBy: ["transport/stateful-anew"],
    factory: continuing(),
  },
];

/** Transports that treat parameters incorrectly. */
export const wrongParameters: readonly WrongTransport[] = [
  {
    fault: "parameters are dropped",
    noticedBy: ["transport/kwargs-texts", "transport/input-all-fields", "transport/setting-kwargs"],
    factory: but({ setting: custom(() => ({ kwargs: undefined })) }),
  },
  {
    fault: "what looks like a number is sent as one",
    noticedBy: ["transport/kwargs-texts"],
    factory: but({
      received: reported(({ kwargs, ...input }) => ({
        ...input,
        kwargs: retold(kwargs, (text) => text.replace('"20"', "20")),
      })),
    }),
  },
  {
    fault: "parameters are not rendered",
    noticedBy: [
      "transport/kwargs-rendered",
      "transport/kwargs-json",
      "transport/kwargs-environment",
      "transport/input-model",
    ],
    factory: but({
      received: reported(({ kwargs, ...input }) => ({ ...input, kwargs: isMap(kwargs) ? unrendered(kwargs) : kwargs })),
    }),
  },
  {
    fault: "the prompt of several turns is the last one",
    noticedBy: ["transport/kwargs-prompt-of-several"],
    factory: but({
      received: reported((input, { messages }) =>
        retold(input, (text) => text.replace("<>", `<${messages.at(-1)?.content}>`)),
      ),
    }),
  },
  {
    fault: "parameters of the session are references like configured ones",
    noticedBy: ["transport/kwargs-of-session"],
    factory: but({
      received: reported((input) => retold(input, (text) => text.replace("${CONTRACT_WORD}", "no"))),
    }),
  },
  {
    fault: "values of the environment are resolved again",
    noticedBy: ["transport/kwargs-resolved-once"],
    factory: but({
      setting: ({ variables, ...setting }) => ({
        ...setting,
        variables: retold(variables, (text) => text.replace("${CONTRACT_OTHER}", variables["CONTRACT_OTHER"] ?? "")),
      }),
    }),
  },
  {
    fault: "the environment wins over built-in variables",
    noticedBy: ["transport/kwargs-precedence"],
    factory: but({
      setting: custom(({ kwargs }, { variables }) => ({
        kwargs: retold(kwargs, (text) => text.replace("${case_id}", variables["case_id"] ?? "${case_id}")),
      })),
    }),
  },
  {
    fault: "a circle of references is nothing",
    noticedBy: ["transport/kwargs-cycle"],
    factory: but({
      setting: custom(({ kwargs }) => ({ kwargs: retold(kwargs, (text) => text.replaceAll("${kwargs.", "{")) })),
    }),
  },
];

function unrendered(kwargs: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.keys(kwargs).map((key) => [key, `\${${key}}`]));
}

/** Transports that accept wrong settings. */
export const wrongSettings: readonly WrongTransport[] = [
  {
    fault: "unknown formats are texts",
    noticedBy: ["transport/setting-format", "transport/setting-all-problems"],
    factory: but({
      setting: custom(({ response_format: format }) => ({ response_format: format === "xml" ? "text" : format })),
    }),
  },
  {
    fault: "a timeout that is none is not looked at",
    noticedBy: ["transport/setting-timeout", "transport/setting-all-problems"],
    factory: but({
      setting: custom(({ timeout_seconds: seconds }) => ({
        timeout_seconds: Number(seconds) > 0 ? seconds : undefined,
      })),
    }),
  },
  {
    fault: "stateful conversations may be texts",
    noticedBy: ["transport/setting-stateful-text"],
    factory: but({
      setting: custom(({ response_format: format }) => (format === "text" ? { conversation_mode: "batch" } : {})),
    }),
  },
  {
    fault: "variables that are missing have some value",
    noticedBy: ["transport/setting-missing-variable", "transport/setting-message"],
    factory: but({ setting: (setting) => ({ ...setting, variables: { ...setting.variables, CONTRACT_NOT: "x" } }) }),
  },
  {
    fault: "one problem is told at a time, without its message",
    noticedBy: ["transport/setting-all-problems", "transport/setting-message", "transport/credential-variable"],
    factory: but({
      refusal: () => new EngineError("config.invalid_engine", { problems: "engine.custom.timeout_seconds is wrong" }),
    }),
  },
  {
    fault: "a refusal repeats the configuration",
    noticedBy: ["transport/setting-secrets-untold"],
    factory: but({
      refusal: (_, { custom: block }) => new EngineError("config.invalid_engine", { problems: JSON.stringify(block) }),
    }),
  },
];

/** Transports that treat credentials incorrectly. */
export const wrongCredentials: readonly WrongTransport[] = [
  {
    fault: "the key is sent unasked",
    noticedBy: ["transport/key-unasked"],
    factory: but({
      setting: carrier(({ headers }) => ({ headers: { ...asHeaders(headers), authorization: "${api_key}" } })),
    }),
  },
  {
    fault: "the key is not sent",
    noticedBy: ["transport/key-asked", "transport/mask-unasked"],
    factory: but({ setting: (setting) => ({ ...setting, apiKey: undefined }) }),
  },
  {
    fault: "nothing is called without a key",
    noticedBy: ["transport/key-absent"],
    factory: but({
      outcome: (_, { apiKey }) =>
        apiKey === undefined
          ? { error: new EngineError("config.invalid", { field: "api_key", problem: "it is missing" }) }
          : {},
    }),
  },
  {
    fault: "credentials are sent as they are written",
    noticedBy: ["transport/key-asked", "transport/credential-variable"],
    factory: but({ received: (call) => ({ ...call, credential: call.credential?.replace(/ .*/, " ${api_key}") }) }),
  },
  {
    fault: "all variables of the host go along",
    noticedBy: ["transport/variables-unasked"],
    factory: but({
      setting: carrier((_, { variables }) => ({ headers: { "x-all": Object.values(variables).join(",") } })),
    }),
  },
  {
    fault: "variables of the engine are parameters as well",
    noticedBy: ["transport/env-not-in-input"],
    factory: but({ setting: custom(({ env, kwargs }) => ({ kwargs: { ...asHeaders(env), ...asHeaders(kwargs) } })) }),
  },
];

function asHeaders(value: unknown): Readonly<Record<string, unknown>> {
  return isMap(value) ? value : {};
}
