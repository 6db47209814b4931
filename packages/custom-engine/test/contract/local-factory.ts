import { createServer, type Server, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { answerBytes, type CallBehaviour, type ReceivedCall, type TransportFactory } from "@switchyard/testkit";
import { type CallLog, createCallLog } from "./call-log.ts";
import { asMap, configureEngine, openTransportEnvironment } from "./transport-environment.ts";

const PROGRAM = fileURLToPath(new URL("engine-program.mjs", import.meta.url));
/** Variable with the credential. */
const CREDENTIAL = "CONTRACT_CREDENTIAL";

/**
 * Opens an engine that is a command: a real process for each call, controlled by a server on the loopback interface.
 */
export const openLocalTransport: TransportFactory = async (setting) => {
  const log = createCallLog(setting.behaviour);
  const desk = await openDesk(log);
  const opened = await openTransportEnvironment(setting);
  const dispose = async (): Promise<void> => {
    await opened.dispose();
    desk.close();
  };
  try {
    const { credential, custom, carrier, behaviour } = setting;
    const { args, ...local } = carrier;
    const config = { command: process.execPath, args: [PROGRAM, portOf(desk), "${input_file}", "${output_file}"] };
    const absent = behaviour.isAbsent === true ? { command: "no-such-command-anywhere" } : {};
    const env = { ...asMap(custom["env"]), ...(credential === undefined ? {} : { [CREDENTIAL]: credential }) };
    const engine = configureEngine(setting, {
      ...{ transport: "local", local: { ...config, ...absent, ...local, args: [...config.args, ...listOf(args)] } },
      ...(Object.keys(env).length === 0 ? {} : { env }),
    });
    const { received, whenReceived, whenOver } = log;
    return { engine, environment: opened.environment, received: () => received, whenReceived, whenOver, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
};

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function portOf(server: Server): string {
  const address = server.address();
  return typeof address === "object" ? String(address?.port) : "0";
}

async function openDesk(log: CallLog): Promise<Server> {
  const server = createServer((socket) => {
    socket.once("close", log.begin());
    const lines = createInterface({ input: socket });
    // A process that is killed breaks its connection at any point.
    for (const emitter of [socket, lines]) emitter.on("error", () => {});
    lines.once("line", (line) => {
      if (line !== "child") attend(socket, toCall(JSON.parse(line)), log);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

function toCall(parsed: unknown): ReceivedCall {
  const { payload, args, cwd, inputFile, variables } = asMap(parsed);
  const texts = Object.entries(asMap(variables)).map(([name, value]) => [name, String(value)]);
  const command = {
    ...{ args: listOf(args).map(String), cwd: String(cwd), inputFile: String(inputFile) },
    variables: Object.fromEntries(texts),
  };
  const surroundings = JSON.stringify(command);
  return { payload: String(payload), credential: command.variables[CREDENTIAL], surroundings, command };
}

function attend(socket: Socket, call: ReceivedCall, log: CallLog): void {
  const behaviour = log.note(call);
  socket.write(`${JSON.stringify(ordersOf(behaviour, call))}\n`);
}

function ordersOf(behaviour: CallBehaviour, call: ReceivedCall): unknown {
  const { manner = "whole", fails = false, diagnostics = "", command = {} } = behaviour;
  return {
    ...{ bytes: Buffer.from(answerBytes(behaviour, call)).toString("base64"), manner, diagnostics },
    ...{ printed: "", toFile: false, leavesChild: false, isStubborn: false, links: {}, exitCode: fails ? 3 : 0 },
    ...command,
  };
}
