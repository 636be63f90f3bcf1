import { createServer } from 'node:net';
import { Refusal } from './progress.mjs';

/** Refuses an unusable port before minutes of installing and building. */
export async function requireFreePort({ PORT: text = '', HOST: host = '' }) {
  if (text !== '' && (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)) {
    throw new Refusal(`PORT must be a number from 0 to 65535, not "${text}".`);
  }
  const port = text === '' ? 3000 : Number(text);
  const problem = await listenProblem(port, host || 'localhost');
  if (problem) throw new Refusal(problem);
}

function listenProblem(port, host) {
  const sentences = {
    EADDRINUSE: `Port ${port} is already in use by another program: stop that one, or choose another port, for instance PORT=${port === 65_535 ? 3000 : port + 1} npm start.`,
    EACCES: `Port ${port} may not be used by this user: choose one above 1023, for instance PORT=3000 npm start.`,
  };
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error) =>
      resolve(
        sentences[error.code] ?? `The portal cannot listen on ${host}:${port} (${error.code}): change HOST or PORT.`,
      ),
    );
    probe.listen({ port, host }, () => probe.close(() => resolve(null)));
  });
}
