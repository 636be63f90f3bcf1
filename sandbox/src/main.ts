import { startSandbox } from './sandbox.ts';
import { SandboxRefusal, settingsFromEnvironment } from './settings.ts';

try {
  const sandbox = await startSandbox(settingsFromEnvironment(process.env));
  const { http, smpp, smtp } = sandbox;

  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    sandbox.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.stdout.write(`${JSON.stringify({ ready: true, http, smpp, smtp })}\n`);
} catch (error) {
  const message = error instanceof SandboxRefusal ? error.message : `The sandbox could not start: ${String(error)}`;
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
