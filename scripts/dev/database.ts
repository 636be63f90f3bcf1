import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { resolve } from 'node:path';
import { openPglite } from '../../server/src/db/database.ts';

/**
 * The embedded database as a process of its own, reached by PostgreSQL's protocol: opening its folder takes seconds, so
 * it must not be opened again whenever the portal is restarted.
 */
const { pglite, close } = await openPglite({ folder: resolve(process.env.DATA_DIR || '.data') }).catch(
  (error: Error): never => {
    console.error(error.message);
    process.exit(1);
  },
);
const statusOfIdle = 'I'.charCodeAt(0);

/** The embedded server has one session: a connection holds it from its first statement to the end of its transaction. */
let session: Promise<void> = Promise.resolve();
function takeSession(): Promise<() => void> {
  const before = session;
  let release = () => {};
  session = new Promise((done) => {
    release = done;
  });
  return before.then(() => release);
}

async function serve(socket: Socket): Promise<void> {
  let release: (() => void) | null = null;
  try {
    for await (const request of requestsOf(socket)) {
      release ??= await takeSession();
      const answer = await pglite.execProtocolRaw(request);
      socket.write(answer);
      // The last byte of a response says whether a transaction is open.
      if (answer.at(-1) !== statusOfIdle) continue;
      release();
      release = null;
    }
  } finally {
    // A portal killed inside a transaction leaves it to be rolled back.
    if (release) await pglite.exec('rollback').catch(() => {});
    release?.();
  }
}

/** Groups messages up to the one that expects a response: a query, or the sync of a prepared statement. */
async function* requestsOf(socket: Socket): AsyncGenerator<Buffer> {
  let received = Buffer.alloc(0);
  let isStarted = false;
  let start = 0;
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      // A startup message has no type byte before its length.
      const lengthAt = start + (isStarted ? 1 : 0);
      if (received.length < lengthAt + 4) break;
      const end = lengthAt + received.readInt32BE(lengthAt);
      if (received.length < end) break;
      const type = isStarted ? String.fromCharCode(received[start] ?? 0) : 'start';
      if (type === 'X') return;
      start = end;
      if (type !== 'start' && type !== 'Q' && type !== 'S') continue;
      isStarted = true;
      yield received.subarray(0, end);
      received = received.subarray(end);
      start = 0;
    }
  }
}

const server = createServer((socket) => {
  // A killed portal breaks its connection; the database keeps running.
  socket.on('error', () => {});
  serve(socket).finally(() => socket.destroy());
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
console.log(JSON.stringify({ ready: true, url: `postgresql://postgres@127.0.0.1:${port}/postgres` }));

process.once('SIGTERM', async () => {
  await takeSession();
  await close();
  process.exit(0);
});
