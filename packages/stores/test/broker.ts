import { randomUUID } from "node:crypto";
import { type NatsServer, natsServerProblem, startNatsServer } from "@switchyard/nats-server";
import { afterAll, beforeAll } from "vitest";

/** Why no broker can be started here; nothing when one can. */
export const brokerProblem: string | undefined = natsServerProblem();

/** The broker of a file of tests. */
export interface TestBroker {
  readonly server: NatsServer;
  /** A name that no other test uses. */
  readonly createName: () => string;
}

/** One broker for all tests of a file, where there can be one. */
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
