import { loadPack } from '../operators/load-pack.ts';
import { Refusal } from './progress.mjs';
import { type Service, startService } from './service.ts';

export interface SandboxOptions {
  /** How long a push prompt waits before the sandbox approves it. */
  approveAfterMs?: number | undefined;
  promptExpiryMs?: number | undefined;
  /** Additional settings of the server, which override all others. */
  env?: NodeJS.ProcessEnv;
  onLog?: (line: string) => void;
  onStage?: (stage: string) => void;
}

export interface StackOptions extends SandboxOptions {
  port: number;
  dataDir: string;
  databaseUrl?: string | undefined;
  /** False where real providers are configured. */
  sandbox?: boolean;
}

export interface Stack {
  url: string;
  /** The portal's process. */
  pid: number;
  sandboxUrl: string | null;
  /** The server's log so far, one JSON document per line. */
  logs(): string[];
  /** Stops the portal alone, runs this and starts it again in the same place: one process at a time opens the embedded database. */
  whileAtRest(run: () => Promise<void>): Promise<void>;
  /** Resolves with a sentence if a process ends unexpectedly. */
  failed: Promise<string>;
  stop(): Promise<void>;
}

/** The product as it runs for real: the sandbox and the portal as separate processes. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const lines: string[] = [];
  const running: Service[] = [];
  // Stop the server first: it may be calling the sandbox.
  const stop = async () => {
    for (const service of running.splice(0).reverse()) await service.stop();
  };
  try {
    const sandbox = options.sandbox === false ? null : await startSandbox(options);
    if (sandbox) running.push(sandbox);
    options.onStage?.('Starting the portal');
    const startPortal = async () => {
      const service = await startService(
        'The portal',
        'server/src/main.ts',
        serverEnvironment(options, sandbox),
        (line) => {
          lines.push(line);
          options.onLog?.(line);
        },
      );
      running.push(service);
      return service;
    };
    const server = await startPortal();
    const url = server.ready.url ?? `http://localhost:${options.port}`;
    if (sandbox) await setCallbackBase(sandbox, url);
    return {
      url,
      pid: server.pid,
      sandboxUrl: sandbox?.ready.http ?? null,
      logs: () => [...lines],
      async whileAtRest(run) {
        await running.pop()?.stop();
        try {
          await run();
        } finally {
          await startPortal();
        }
      },
      failed: Promise.race(running.map((service) => service.failed)),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

export async function startSandbox(options: SandboxOptions): Promise<Service> {
  options.onStage?.('Starting the sandbox');
  const env = {
    ...(await emulatedOperator(options)),
    ...process.env,
    ...(options.approveAfterMs === undefined ? {} : { SANDBOX_APPROVE_AFTER_MS: String(options.approveAfterMs) }),
    ...(options.promptExpiryMs === undefined ? {} : { SANDBOX_PROMPT_EXPIRY_MS: String(options.promptExpiryMs) }),
  };
  return startService('The sandbox', 'sandbox/src/main.ts', env, (line) => options.onLog?.(line));
}

/** Settings of the emulated operator; if the pack does not exist, the portal refuses it with a clear error. */
async function emulatedOperator({ env }: SandboxOptions): Promise<NodeJS.ProcessEnv> {
  const setting = (name: string) => env?.[name] || process.env[name];
  const pack = await loadPack(setting('OPERATOR') || 'mg', setting('OPERATORS_DIR') || null).catch(() => null);
  if (!pack) return {};
  const { brand, country, currency, secondCurrency, numbering } = pack;
  const [prefix = ''] = numbering.ownPrefixes;
  return {
    SANDBOX_BRAND: brand.name,
    SANDBOX_COUNTRY: country.iso,
    SANDBOX_COUNTRY_CODE: numbering.countryCode,
    SANDBOX_CURRENCY: currency.code,
    SANDBOX_CURRENCY_DIGITS: String(currency.digits),
    SANDBOX_SECOND_CURRENCY: secondCurrency?.code ?? '',
    // Lines differ in their last seven digits; the prefix is the operator's.
    SANDBOX_NATIONAL_PREFIX: `0${prefix.padEnd(numbering.nationalLength - 7, '0')}`,
  };
}

export function serverEnvironment(options: StackOptions, sandbox: Service | null): NodeJS.ProcessEnv {
  return {
    ...(sandbox && { SMPP_URL: sandbox.ready.smpp, SMTP_URL: sandbox.ready.smtp }),
    ...process.env,
    ...(sandbox && { SANDBOX_URL: sandbox.ready.http }),
    PORT: String(options.port),
    DATA_DIR: options.dataDir,
    ...(options.databaseUrl === undefined ? {} : { DATABASE_URL: options.databaseUrl }),
    ...options.env,
  };
}

/** The sandbox starts before the portal, so it gets the callback URL afterwards. */
export async function setCallbackBase(sandbox: Service, url: string): Promise<void> {
  const answer = await fetch(`${sandbox.ready.http}/sandbox/api/callback-base`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  });
  if (!answer.ok)
    throw new Refusal(`The sandbox does not take the portal's address for its callbacks (${answer.status}).`);
}
