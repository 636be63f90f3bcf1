import { get, type IncomingMessage } from 'node:http';
import { transactionStreamPath } from '@portal/contract/calls.ts';

export interface OpenStream {
  status: number;
  headers: IncomingMessage['headers'];
  /** The data of all events so far except the first. */
  events: string[];
  onEvent(heard: () => void): void;
  /** Settles when the server ends the stream or the client closes it. */
  ended: Promise<void>;
  /** All text received so far, unparsed. */
  text(): string;
  close(): void;
}

/** Reads a payment's event stream like a browser, on a separate connection. */
export function openStream(origin: string, tid: string, headers: Record<string, string> = {}): Promise<OpenStream> {
  const url = `${origin}${transactionStreamPath}?tid=${encodeURIComponent(tid)}`;
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, headers: { accept: 'text/event-stream', ...headers } });
    request.on('error', reject).on('response', (answer) => {
      const events: string[] = [];
      const listeners: (() => void)[] = [];
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        const whole = text.split('\n\n').slice(0, -1);
        const data = whole.flatMap((event) => /^data: (?!open$)(.*)$/m.exec(event)?.[1] ?? []);
        const fresh = data.slice(events.length);
        events.push(...fresh);
        for (const heard of listeners) for (const _ of fresh) heard();
      });
      answer.on('error', () => {});
      resolve({
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        events,
        text: () => text,
        onEvent: (heard) => void listeners.push(heard),
        ended: new Promise((done) => void answer.on('close', done)),
        close: () => request.destroy(),
      });
    });
  });
}
