// Preloaded into a portal that a test stops right before it sends a request, like a frozen machine.
import { subscribe } from 'node:diagnostics_channel';

let stop = null;
let sleptMs = 0;
const steadyNow = performance.now;
Object.defineProperty(performance, 'now', { value: () => steadyNow.call(performance) + sleptMs, configurable: true });

process.on('message', (message) => {
  if (!message?.stopBefore) return;
  const { path, nth, sleepMs } = message.stopBefore;
  stop = { path: new RegExp(path), left: nth, sleepMs };
});
process.channel?.unref();

subscribe('undici:request:create', ({ request }) => {
  if (!stop?.path.test(request.path)) return;
  stop.left -= 1;
  if (stop.left > 0) return;
  const { sleepMs } = stop;
  stop = null;
  process.kill(process.pid, 'SIGSTOP');
  // Awake again: add the sleep that was simulated to this process's clock.
  sleptMs += sleepMs;
});
