import type { BooksSnapshot } from '../state/books.ts';
import type { Mail } from '../state/mails.ts';
import type { Message } from '../state/messages.ts';
import type { Prompt } from '../state/prompts.ts';
import type { describeLine } from './phone-api.ts';

/** The phone's JSON API, as a test calls it. */
export class PhoneClient {
  readonly #base: string;

  constructor(http: string) {
    this.#base = `${http}/sandbox/api`;
  }

  line(number: string) {
    return this.#get<NonNullable<ReturnType<typeof describeLine>>>(`/lines/${number}`);
  }

  messages(number: string) {
    return this.#get<Message[]>(`/lines/${number}/messages`);
  }

  prompts(number: string) {
    return this.#get<Prompt[]>(`/lines/${number}/prompts`);
  }

  mail(to: string) {
    return this.#get<Mail[]>(`/mail?to=${encodeURIComponent(to)}`);
  }

  books() {
    return this.#get<BooksSnapshot>('/books');
  }

  fault(fault: unknown): Promise<Response> {
    return this.post('/faults', fault);
  }

  post(path: string, body?: unknown): Promise<Response> {
    if (body === undefined) return fetch(this.#base + path, { method: 'POST' });
    const headers = { 'content-type': 'application/json' };
    return fetch(this.#base + path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  clearFaults(): Promise<Response> {
    return fetch(`${this.#base}/faults`, { method: 'DELETE' });
  }

  async #get<Answer>(path: string): Promise<Answer> {
    return (await fetch(this.#base + path)).json() as Promise<Answer>;
  }
}
