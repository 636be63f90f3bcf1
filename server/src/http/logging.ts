import { oneLine } from '@portal/domain/printable.ts';
import { type LoggerOptions, type Logger as PinoLogger, pino } from 'pino';

export type Logger = PinoLogger;

/** Only these fields ever reach a log line. Anything else, a number or a code by mistake, is dropped. */
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

function onlyAllowed(fields: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (!allowed.has(name)) continue;
    if (name === 'err') kept.err = safeError(value);
    else if (typeof value === 'string' && name !== 'payment' && name !== 'requestId') kept[name] = safeText(value);
    else if (typeof value === 'number') kept[name] = Math.abs(value) < 100_000 ? value : '#';
    else if (Array.isArray(value)) kept[name] = value.map((each) => safeText(String(each)));
    else if (typeof value === 'string' || typeof value === 'boolean') kept[name] = value;
  }
  return kept;
}

export function createLogger(level: string, destination?: { write(line: string): void }): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    messageKey: 'message',
    // Errors are already reduced by then; the usual serializer would take them for objects of no kind.
    serializers: { err: (error: unknown) => error },
    hooks: {
      logMethod(args, method) {
        const safe = args.map((each: unknown) => (typeof each === 'string' ? safeText(each) : each));
        method.apply(this, safe as typeof args);
      },
    },
    formatters: { level: (label) => ({ level: label }), log: onlyAllowed },
  };
  return destination ? pino(options, destination) : pino(options, pino.destination(2));
}
