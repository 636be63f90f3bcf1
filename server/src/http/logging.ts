import { oneLine } from '@portal/domain/printable.ts';
import { type LoggerOptions, type Logger as PinoLogger, pino } from 'pino';

export type Logger = PinoLogger;

/** Only these fields are logged. Any other, such as a number or a code passed by mistake, is dropped. */
const allowed = new Set([
  'requestId',
  'method',
  'route',
  'status',
  'milliseconds',
  'payment',
  'from',
  'to',
  'event',
  'reason',
  'call',
  'detail',
  'provider',
  'verdict',
  'port',
  'operator',
  'database',
  'migrations',
  'job',
  'what',
  'day',
  'taken',
  'delivered',
  'givenBack',
  'unchecked',
  'unanswered',
  'pages',
  'err',
]);

const unsafe = /\d{5,}/g;

function safeText(text: string): string {
  return oneLine(text).replace(unsafe, '#').slice(0, 500);
}

function safeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: safeText(String(error)) };
  const code = 'code' in error ? safeText(String(error.code)) : undefined;
  return { type: error.name, message: safeText(error.message), code, stack: safeText(error.stack ?? '') };
}

function allowedFields(fields: Record<string, unknown>): Record<string, unknown> {
  const safe: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (!allowed.has(name)) continue;
    if (name === 'err') safe.err = safeError(value);
    else if (typeof value === 'string' && name !== 'payment' && name !== 'requestId') safe[name] = safeText(value);
    else if (typeof value === 'number') safe[name] = Math.abs(value) < 100_000 ? value : '#';
    else if (Array.isArray(value)) safe[name] = value.map((each) => safeText(String(each)));
    else if (typeof value === 'string' || typeof value === 'boolean') safe[name] = value;
  }
  return safe;
}

export function createLogger(level: string, destination?: { write(line: string): void }): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    messageKey: 'message',
    // Errors are already reduced to plain objects here; the default serializer would lose their type.
    serializers: { err: (error: unknown) => error },
    hooks: {
      logMethod(args, method) {
        const safe = args.map((each: unknown) => (typeof each === 'string' ? safeText(each) : each));
        method.apply(this, safe as typeof args);
      },
    },
    formatters: { level: (label) => ({ level: label }), log: allowedFields },
  };
  return destination ? pino(options, destination) : pino(options, pino.destination(2));
}
