import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Removes characters that encoders and JSON writers insert into a secret. */
function joined(text: string): string {
  return text.replaceAll(/\\[nrt]/gu, "").replaceAll(/\s+/gu, "");
}

function wrapped(text: string, width: number): string {
  return text.match(new RegExp(`.{1,${width}}`, "gu"))?.join("\n") ?? "";
}

/** Returns the forms in which a program may print a secret, separated by empty lines. */
export function formsOf(secret: string): string {
  const bytes = Buffer.from(secret);
  const around = Buffer.from(`a prefix of some length, ${secret} and what follows it`);
  return [
    secret,
    bytes.toString("base64"),
    around.toString("base64"),
    wrapped(around.toString("base64"), 20),
    bytes.toString("hex"),
    wrapped(bytes.toString("hex"), 16),
    JSON.stringify({ deep: [{ auth: { api_key: secret } }] }),
    JSON.stringify({ [secret]: "as a key" }),
    `https://user:${secret}@host.example/?token=${secret}`,
  ].join("\n\n");
}

/** Returns the secrets that a text contains, plain or encoded. One entry for each secret and encoding. */
export function exposures(text: string, secrets: readonly string[]): string[] {
  const texts = [text, joined(text)];
  return secrets.flatMap((secret) => {
    const found = needlesOf(secret).filter(([, needle]) => texts.some((one) => one.includes(needle)));
    return found.slice(0, 1).map(([encoding]) => `${secret.slice(0, 3)}… ${encoding}`);
  });
}

function needlesOf(secret: string): [encoding: string, needle: string][] {
  const base64 = [0, 1, 2].map((offset): [string, string] => {
    const whole = Buffer.from(`${"x".repeat(offset)}${secret}`).toString("base64");
    // The first and last base64 groups depend on the characters next to the secret.
    return ["base64", whole.slice(4, whole.length - 4)];
  });
  return [["plain", secret], ["hex", Buffer.from(secret).toString("hex")], ...base64];
}

/**
 * Writes a custom engine that prints its secrets in every field of its result and on standard error. Returns the text
 * of its configuration, which is `engine.yaml` in the folder.
 */
export async function writeLeakyEngine(folder: string): Promise<string> {
  const program = `
    const { SERVICE_KEY: key, DEPLOY: token } = process.env;
    const formsOf = ${formsOf.toString()};
    ${wrapped.toString()}
    const said = [key, token].map(formsOf).join("\\n");
    for (const letter of said) await new Promise((done) => process.stderr.write(letter, done));
    const call = { id: "1", name: "shell", arguments: { auth: { api_key: key }, command: said } };
    console.log(JSON.stringify({
      exit_code: 0, final_message: said, stderr: said, engine: "leaky " + key, model: token,
      transcript: [
        { role: "assistant", content: said, tool_call: call },
        { role: "tool", content: said, tool_result: { call_id: "1", name: "shell", status: "ok", content: said } },
      ],
      artifacts: {
        logs: said,
        files: [{ name: "report-" + key + ".txt", content: said, content_type: "text/plain" }],
      },
    }));`;
  const config = `
engine:
  name: leaky
  custom:
    transport: local
    env: { SERVICE_KEY: "\${api_key}", DEPLOY: "\${ACME_DEPLOY_TOKEN}" }
    local: { command: ${process.execPath}, args: ["${join(folder, "leak.mjs")}"] }
`;
  await writeFile(join(folder, "leak.mjs"), program);
  await writeFile(join(folder, "engine.yaml"), config);
  return config;
}

/**
 * Returns the manifest and the program of a runtime package that prints its secret in every field of its outcome. It
 * also prints `announced` after words and field names that announce a credential.
 */
export function leakyProgram(announced: string): [manifest: string, program: string] {
  const provider = {
    ...{ id: "leaky.run", backend: "leaky", command: "node {{runtime_path}}/execute-task.mjs" },
    secret_requirements: [{ name: "deploy", env: "ACME_DEPLOY_TOKEN" }],
  };
  const manifest = { schema: "homeboy/agent-runtime-manifest/v1", id: "leaky", agent_task_executors: [provider] };
  const program = `
    import { readFileSync, writeFileSync } from "node:fs";
    const token = process.env.ACME_DEPLOY_TOKEN;
    ${formsOf.toString()}
    ${wrapped.toString()}
    const prose = "error: password=${announced} in https://h.example/?access_token=${announced}";
    const said = formsOf(token) + " " + prose;
    const { task_id } = JSON.parse(readFileSync(0, "utf8"));
    process.stderr.write(said);
    process.stdout.write(JSON.stringify({
      schema: "homeboy/agent-task-outcome/v1", task_id, status: "succeeded", summary: said,
      diagnostics: [{ class: "acme.said", message: said, data: { auth: { api_key: "${announced}" }, said } }],
      artifacts: [{ id: "a", kind: "log", name: "log " + token, url: "https://h/?token=" + token, metadata: { said } }],
      outputs: { note: formsOf(token) }, evidence_refs: [{ kind: "log", uri: "https://u:" + token + "@h/", label: said }],
      metadata: { said, session: { authHeader: ["${announced}"] }, url: "https://h/?access_token=" + token },
    }));`;
  return [JSON.stringify(manifest), program];
}
