import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startCallbackServer } from "./callback-server.ts";

test("silent connections are closed and do not delay the browser's answer", async () => {
  await using server = await startCallbackServer("the-state-of-nobody");
  const port = Number(new URL(server.url).port);
  const silent = Array.from({ length: 200 }, () => connect(port, "127.0.0.1"));
  onTestFinished(() => {
    for (const socket of silent) socket.destroy();
  });
  const closed = silent.map(async (socket) => {
    socket.on("error", () => undefined).resume();
    await once(socket, "close");
    return true;
  });
  await Promise.all(silent.map((socket) => Promise.race([once(socket, "connect"), once(socket, "close")])));
  const answer = server.answer(new AbortController().signal);
  const response = await fetch(`${server.url}?state=the-state-of-nobody&code=1`);
  expect(response.status).toBe(200);
  expect((await answer).get("code")).toBe("1");
  // The remaining connections are closed by the time limit for a request.
  expect((await Promise.all(closed)).length).toBe(200);
});
