import { randomUUID } from "node:crypto";
import { type NatsServer, natsServerProblem, startNatsServer } from "@switchyard/nats-server";
import { afterAll, beforeAll, describe, test } from "vitest";

/** Reason why no broker can be started here. `undefined` if one can. */
export const brokerProblem: string | undefined = natsServerProblem();

/** Registers tests that need a broker. Without one, they are reported as one skipped test, with the reason. */
export function describeWithBroker(title: string, tests: () => void): void {
  if (brokerProblem === undefined) describe(title, tests);
  else test(title, ({ skip }) => skip(brokerProblem));
}

/** The broker of a test file. */
export interface TestBroker {
  readonly server: NatsServer;
  /** A name that no other test uses. */
  readonly createName: () => string;
}

/** Starts one broker for all tests of a file, if possible. */
export function useBroker(): () => TestBroker {
  let server: NatsServer | undefined;
  beforeAll(async () => {
    if (brokerProblem === undefined) server = await startNatsServer();
  });
  afterAll(async () => {
    await server?.stop();
  });
  return () => {
    if (server === undefined) throw new Error(brokerProblem ?? "the broker has not been started");
    return { server, createName: () => `t-${randomUUID().slice(0, 8)}` };
  };
}
