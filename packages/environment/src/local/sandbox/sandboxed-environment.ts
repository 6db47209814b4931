import type { ExecOptions, ExecResult } from "@switchyard/contracts";
import type { LocalEnvironmentParts } from "../local-environment.ts";
import { LocalEnvironment } from "../local-environment.ts";
import type { Sandbox } from "./sandbox.ts";

/** Files of one folder, and processes that can change nothing else. loop: §4.3. */
export class SandboxedEnvironment extends LocalEnvironment {
  override readonly name: string = "sandbox";
  readonly #sandbox: Sandbox;
  #disposed: Promise<void> | undefined;

  constructor(parts: LocalEnvironmentParts, sandbox: Sandbox) {
    super(parts);
    this.#sandbox = sandbox;
  }

  override async exec(argv: readonly string[], options: ExecOptions = {}): Promise<ExecResult> {
    return this.#settle(super.exec(argv, options));
  }

  override async shell(command: string, options: ExecOptions = {}): Promise<ExecResult> {
    return this.#settle(super.shell(command, options));
  }

  override [Symbol.asyncDispose](): Promise<void> {
    this.#disposed ??= super[Symbol.asyncDispose]().finally(() => this.#sandbox[Symbol.asyncDispose]());
    return this.#disposed;
  }

  /** A workspace is without placeholders when the last command is over, for whoever waited for that command. */
  async #settle(running: Promise<ExecResult>): Promise<ExecResult> {
    try {
      return await running;
    } finally {
      await this.#sandbox.settled();
    }
  }
}
