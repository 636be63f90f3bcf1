import type { FaultBoard, FaultProvider } from '../faults/fault-board.ts';
import { Timers } from '../state/timers.ts';

/** `path` where the URL itself is the secret that a forger does not know. */
interface CallbackRequest {
  body: string;
  headers: Record<string, string>;
  path?: string;
}

type Compose = (signature: 'genuine' | 'forged') => CallbackRequest;

export interface Callback {
  provider: FaultProvider;
  /** Path below the portal's base address, e.g. /callbacks/wallet. */
  path: string;
  /** The callback as signed by the provider, or as forged without the key. */
  compose: Compose;
  /** The callback with the opposite outcome, for a provider that contradicts itself. */
  composeContrary?: Compose;
}

export interface CallbackTimings {
  limitMs: number;
  retryDelayMs: number;
}

const attempts = 4;
const defaultLateMs = 10_000;
const defaultReorderMs = 5_000;

/** Sends callbacks to the portal without waiting; each at most once unless a fault says otherwise. */
export class CallbackSender {
  #base: string | undefined;
  #faults: FaultBoard;
  #timings: CallbackTimings;
  #timers = new Timers();
  #postponed = new Map<FaultProvider, () => void>();
  #abort = new AbortController();

  constructor(faults: FaultBoard, timings: CallbackTimings) {
    this.#faults = faults;
    this.#timings = timings;
  }

  setBase(url: string): void {
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    const loopback = parsed && ['127.0.0.1', 'localhost', '[::1]'].includes(parsed.hostname);
    if (!parsed || !loopback || !['http:', 'https:'].includes(parsed.protocol)) {
      throw new CallbackBaseError(
        'The callback address must be an http address on this machine (127.0.0.1 or localhost).',
      );
    }
    this.#base = parsed.href.replace(/\/$/, '');
  }

  send(callback: Callback): void {
    const strike = this.#faults.strikeCallback(callback.provider);
    const held = this.#postponed.get(callback.provider);
    if (strike?.kind === 'lateCallback') {
      this.#timers.later(strike.delayMs ?? defaultLateMs, () => void this.#deliver(callback));
      return;
    }
    if (strike?.kind === 'reorderCallbacks' && !held) {
      this.#postpone(callback, strike.delayMs ?? defaultReorderMs);
      return;
    }
    if (strike?.kind === 'contradictoryCallbacks' && callback.composeContrary) {
      const contrary = { ...callback, compose: callback.composeContrary };
      void this.#deliver(contrary).then(() => this.#deliver(callback));
      return;
    }
    const first = this.#deliver(callback, strike?.kind === 'badSignature' ? 'forged' : 'genuine');
    if (strike?.kind === 'duplicateCallback') void this.#deliver(callback);
    if (held) void first.then(held);
  }

  /** Drops callbacks that are not yet sent. */
  reset(): void {
    this.#timers.clear();
    this.#postponed.clear();
    this.#abort.abort();
    this.#abort = new AbortController();
  }

  #postpone(callback: Callback, longestMs: number): void {
    const release = () => {
      if (this.#postponed.get(callback.provider) !== release) return;
      this.#postponed.delete(callback.provider);
      void this.#deliver(callback);
    };
    this.#postponed.set(callback.provider, release);
    this.#timers.later(longestMs, release);
  }

  async #deliver(callback: Callback, signature: 'genuine' | 'forged' = 'genuine', attempt = 1): Promise<void> {
    if (this.#base === undefined) return;
    const { signal } = this.#abort;
    const request = callback.compose(signature);
    const accepted = await this.#post(this.#base + (request.path ?? callback.path), request, signal);
    if (accepted || signal.aborted || attempt >= attempts) return;
    this.#timers.later(
      this.#timings.retryDelayMs * attempt,
      () => void this.#deliver(callback, signature, attempt + 1),
    );
  }

  async #post(
    address: string,
    request: { body: string; headers: Record<string, string> },
    signal: AbortSignal,
  ): Promise<boolean> {
    try {
      const response = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...request.headers },
        body: request.body,
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(this.#timings.limitMs)]),
      });
      await response.body?.cancel();
      return response.ok;
    } catch {
      return false;
    }
  }
}

export class CallbackBaseError extends Error {}
