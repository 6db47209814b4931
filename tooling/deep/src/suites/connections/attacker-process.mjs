// @ts-check
// Opens connections that are silent or send invalid data, in a separate process controlled by messages of its parent.
import { connect } from "node:net";
import { behaviourOf } from "./behaviour.mjs";

/** Number of connections opened concurrently. */
const AT_ONCE = 50;

/** @type {Set<import("node:net").Socket>} */
const open = new Set();

process.on("message", (message) => {
  const { type, port, seed, first, count } = Object(message);
  if (type === "open") void openAll({ port, seed, first, count });
  else if (type === "close") closeAll();
});

/**
 * @param {{ port: number, seed: number, first: number, count: number }} wave
 * @returns {Promise<void>}
 */
async function openAll({ port, seed, first, count }) {
  let next = first;
  const worker = async () => {
    while (next < first + count) await openOne(port, seed, next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  process.send?.({ type: "opened", held: open.size });
}

/**
 * Resolves when the connection is open or was rejected; its behaviour continues independently.
 * @param {number} port
 * @param {number} seed
 * @param {number} index
 * @returns {Promise<void>}
 */
function openOne(port, seed, index) {
  const { address, pieces, paceMs, reads, halfCloses } = behaviourOf(seed, index);
  const socket = connect({ port, host: "127.0.0.1", localAddress: address, allowHalfOpen: true });
  open.add(socket);
  socket.on("error", () => undefined);
  if (reads) socket.resume();
  let sent = 0;
  const send = () => {
    const piece = pieces[sent++];
    if (socket.destroyed) return;
    if (piece !== undefined) socket.write(piece, "latin1");
    if (sent < pieces.length) setTimeout(send, paceMs).unref();
    else if (halfCloses) socket.end();
  };
  return new Promise((resolve) => {
    socket.once("connect", () => {
      send();
      resolve();
    });
    socket.once("close", () => {
      open.delete(socket);
      resolve();
    });
  });
}

function closeAll() {
  for (const socket of open) socket.resetAndDestroy();
  process.send?.({ type: "closed" });
}
