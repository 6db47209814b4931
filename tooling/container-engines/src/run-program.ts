import { spawn } from "node:child_process";

/** Output and exit of a program. */
export interface ProgramResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of the system to its end. Contract: rejects only when it cannot be started. */
export function runProgram(
  argv: readonly string[],
  options: { readonly env?: NodeJS.ProcessEnv; readonly stdin?: Uint8Array | undefined } = {},
): Promise<ProgramResult> {
  const [program = "", ...args] = argv;
  const child = spawn(program, args, { env: options.env ?? process.env, stdio: ["pipe", "pipe", "pipe"] });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
  child.stdin.on("error", () => {});
  child.stdin.end(options.stdin);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      const [stdout, stderr] = [Buffer.concat(out).toString(), Buffer.concat(err).toString()];
      resolve({ code: code ?? 128, stdout, stderr });
    });
  });
}

/** Runs a program that must not fail, and gives its output without the last line end. */
export async function mustRun(
  argv: readonly string[],
  options: Parameters<typeof runProgram>[1] = {},
): Promise<string> {
  const { code, stdout, stderr } = await runProgram(argv, options);
  if (code !== 0) throw new Error(`${argv.slice(0, 3).join(" ")} ended with ${code}: ${stderr}`);
  return stdout.replace(/\n$/, "");
}
