import { resolve } from 'node:path';
import { buildWebWhenStale } from './build.ts';
import { endWith } from './progress.mjs';
import { type Stack, startStack } from './stack.ts';
import { logTo, printWelcome, wantsSandbox } from './start-surroundings.ts';

const { env } = process;

let stopping = false;
let stack: Stack | undefined;

async function stop(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  if (stack) {
    console.log('\nStopping…');
    await stack.stop();
  }
  process.exit(code);
}

process.on('SIGINT', () => stop(0));
process.on('SIGTERM', () => stop(0));
process.on('SIGHUP', () => stop(0));
process.on('disconnect', () => stop(0));

try {
  await buildWebWhenStale();
  const dataDir = resolve(env.DATA_DIR || '.data');
  const log = logTo(dataDir);
  stack = await startStack({
    port: Number(env.PORT || 3000),
    dataDir,
    sandbox: wantsSandbox,
    onLog: log.write,
    onStage: (stage) => console.log(`${stage}…`),
  });
  // The stop signal came during start-up, when the handler had nothing to stop yet.
  if (stopping) await stack.stop().then(() => process.exit(0));
  await printWelcome(stack, log.where);
  const sentence = await stack.failed;
  console.error(sentence);
  await stop(1);
} catch (error) {
  endWith(error);
}
