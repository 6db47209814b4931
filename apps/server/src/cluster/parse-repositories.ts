import { EngineError, gitUrlProblem } from "@switchyard/contracts";
import { type Secret, secret } from "@switchyard/secrets";
import { z } from "zod";
import type { WorkerRepository } from "./worker-repository.ts";

const name = z.string().min(1).max(200);

const documentSchema = z.array(
  z
    .strictObject({
      url: z.string().superRefine((text, context) => {
        const message = gitUrlProblem(text);
        if (message !== undefined) context.addIssue({ code: "custom", message });
      }),
      credential: name.optional(),
      username: name.optional(),
      password_env: z
        .string()
        .regex(/^[A-Za-z_]\w*$/u, "it is not the name of an environment variable")
        .optional(),
      key_file: z.string().startsWith("/", "it is not an absolute path").optional(),
      owners: z.array(name).min(1).optional(),
    })
    .superRefine((rule, context) => {
      const problem = credentialProblem(rule);
      if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
    }),
);

type Rule = z.infer<typeof documentSchema>[number];

function credentialProblem({
  url,
  credential,
  username,
  password_env: password,
  key_file: key,
}: Rule): string | undefined {
  const hasAccess = password !== undefined || key !== undefined;
  if (hasAccess && credential === undefined) return "a rule with a password or a key needs a `credential` name";
  if (!hasAccess && credential !== undefined) return "a `credential` needs `password_env` or `key_file`";
  if (password !== undefined && !url.startsWith("https://")) return "`password_env` needs an https URL";
  if (key !== undefined && !url.startsWith("ssh://")) return "`key_file` needs an ssh URL";
  return username !== undefined && password === undefined ? "`username` needs `password_env`" : undefined;
}

/**
 * Parses the file that lists the repositories a worker may check out. Passwords are read from the environment variables
 * that the file names. Throws `config.invalid`, also if a variable is not set.
 */
export function parseRepositories(
  document: unknown,
  { path, env }: { readonly path: string; readonly env: Readonly<Record<string, string | undefined>> },
): readonly WorkerRepository[] {
  const parsed = documentSchema.safeParse(document);
  const invalid = (problem: string): EngineError => new EngineError("config.invalid", { field: path, problem });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue === undefined || issue.path.length === 0 ? "the document" : issue.path.map(String).join(".");
    throw invalid(`${field}: ${issue?.message ?? "it is invalid"}.`);
  }
  const passwordOf = (variable: string): Secret => {
    const value = env[variable];
    if (value === undefined || value === "") throw invalid(`the environment variable ${variable} is not set.`);
    return secret(value);
  };
  return parsed.data.map(({ url, credential, username, password_env: variable, key_file: keyFile, owners }) => ({
    ...{ url, credential, owners },
    access: { username, keyFile, password: variable === undefined ? undefined : passwordOf(variable) },
  }));
}
