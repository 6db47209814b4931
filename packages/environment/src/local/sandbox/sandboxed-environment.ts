import { EngineError, type ExecOptions, type ExecResult, type ExposedSocket } from "@switchyard/contracts";
import type { EnvironmentProxy } from "../../environment-options.ts";
import type { LocalEnvironmentParts } from "../local-environment.ts";
import { LocalEnvironment } from "../local-environment.ts";
import type { Sandbox } from "./sandbox.ts";

/** A sandbox, and whether its commands share the network of this machine. */
interface SandboxFacts {
  readonly sandbox: Sandbox;
  readonly sharesLoopback: boolean;
}

/**
 * Environment for the files of one folder. Its processes cannot change anything outside the folder, except temporary
 * and explicitly allowed files. See loop: §4.3.
 */
export class SandboxedEnvironment extends LocalEnvironment {
  override readonly name: string = "sandbox";
  override readonly sharesLoopback: boolean;
  /** Proxy that is closed with the environment. */
  proxy: EnvironmentProxy | undefined;
  readonly #sandbox: Sandbox;
  #disposed: Promise<void> | undefined;

  constructor(parts: LocalEnvironmentParts, { sandbox, sharesLoopback }: SandboxFacts) {
    super(parts);
    this.#sandbox = sandbox;
    this.sharesLoopback = sharesLoopback;
  }

  async exposeSocket(): Promise<ExposedSocket> {
    if (this.#disposed !== undefined) throw new EngineError("environment.closed");
    return this.#sandbox.sockets.expose();
  }

  override async exec(argv: readonly string[], options: ExecOptions = {}): Promise<ExecResult> {
    return this.#settle(super.exec(argv, options));
  }

  override async shell(command: string, options: ExecOptions = {}): Promise<ExecResult> {
    return this.#settle(super.shell(command, options));
  }

  override [Symbol.asyncDispose](): Promise<void> {
    this.#disposed ??= super
      [Symbol.asyncDispose]()
      .finally(() => this.#sandbox[Symbol.asyncDispose]())
      .finally(() => this.proxy?.[Symbol.asyncDispose]());
    return this.#disposed;
  }

  /**
   * Once no command is running, waits until temporary mount points in the workspace are removed, so that the
   * caller sees a clean workspace.
   */
  async #settle(running: Promise<ExecResult>): Promise<ExecResult> {
    try {
      return await running;
    } finally {
      await this.#sandbox.settled();
    }
  }
}
