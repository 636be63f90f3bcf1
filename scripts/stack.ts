import { loadPack } from '../operators/load-pack.ts';
import { Refusal } from './progress.mjs';
import { type Service, startService } from './service.ts';

export interface SandboxOptions {
  /** How long the sandbox lets a push prompt wait before it approves it by itself. */
  approveAfterMs?: number | undefined;
  promptExpiryMs?: number | undefined;
  /** Further settings of the server; they win over everything else. */
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
  /** The server's log so far, one JSON line each. */
  logs(): string[];
  /** Settles with a sentence when a part ends without having been told to. */
  failed: Promise<string>;
  stop(): Promise<void>;
}

/** The product as it is really run: the sandbox and the portal, each a process of its own. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const lines: string[] = [];
  const running: Service[] = [];
  // The server first: it may be in the middle of a call to the sandbox.
  const stop = async () => {
    for (const service of running.splice(0).reverse()) await service.stop();
  };
  try {
    const sandbox = options.sandbox === false ? null : await startSandbox(options);
    if (sandbox) running.push(sandbox);
    options.onStage?.('Starting the portal');
    const server = await startService(
      'The portal',
      'server/src/main.ts',
      serverEnvironment(options, sandbox),
      (line) => {
        lines.push(line);
        options.onLog?.(line);
      },
    );
    running.push(server);
    const url = server.ready.url ?? `http://localhost:${options.port}`;
    if (sandbox) await tellCallbackBase(sandbox, url);
    return {
      url,
      pid: server.pid,
      sandboxUrl: sandbox?.ready.http ?? null,
      logs: () => [...lines],
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

/** The sandbox is told which operator it stands in for; a pack that does not exist is refused by the portal, in words. */
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
    // Its lines differ in their last seven digits; what stands before those is the operator's own.
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

/** The sandbox starts first, so it learns only now where its callbacks go. */
export async function tellCallbackBase(sandbox: Service, url: string): Promise<void> {
  const answer = await fetch(`${sandbox.ready.http}/sandbox/api/callback-base`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  });
  if (!answer.ok)
    throw new Refusal(`The sandbox does not take the portal's address for its callbacks (${answer.status}).`);
}
