import { randomUUID } from 'node:crypto';
import { type PushBehaviour, profileOf } from './line-table.ts';
import type { WalletProvider, Wallets } from './wallets.ts';

type PromptState = 'pending' | 'approved' | 'declined' | 'expired' | 'failed';

export interface Prompt {
  id: string;
  at: string;
  provider: WalletProvider;
  number: string;
  amount: number;
  currency: string;
  reference: string;
  state: PromptState;
}

export interface PromptRequest {
  provider: WalletProvider;
  number: string;
  amount: number;
  currency: string;
  reference: string;
  /** Takes the money; false when it could not be taken any more. */
  onApproved: () => boolean;
  onDeclined: () => void;
  onExpired: () => void;
  /** Where one wrong PIN ends the request; elsewhere the payer may try again. */
  onWrongPin?: (verdict: 'wrong' | 'locked') => void;
}

export type AnswerOutcome = 'done' | 'unknown' | 'already answered' | 'wrong PIN' | 'wallet locked';

interface OpenPrompt {
  prompt: Prompt;
  request: PromptRequest;
  timer: NodeJS.Timeout;
}

const mostPerLine = 50;

export class Prompts {
  #approveAfterMs: number;
  #expiryMs: number;
  #wallets: Wallets;
  #open = new Map<string, OpenPrompt>();
  #byId = new Map<string, Prompt>();
  #byLine = new Map<string, Prompt[]>();

  constructor(wallets: Wallets, approveAfterMs: number, expiryMs: number) {
    this.#wallets = wallets;
    this.#approveAfterMs = approveAfterMs;
    this.#expiryMs = expiryMs;
  }

  ask(request: PromptRequest): Prompt {
    const prompt: Prompt = {
      id: randomUUID(),
      at: new Date().toISOString(),
      provider: request.provider,
      number: request.number,
      amount: request.amount,
      currency: request.currency,
      reference: request.reference,
      state: 'pending',
    };
    const timer = this.#answerByItself(prompt.id, profileOf(request.number)?.push ?? 'silent');
    this.#open.set(prompt.id, { prompt, request, timer });
    this.#store(prompt);
    return prompt;
  }

  list(number: string): Prompt[] {
    return this.#byLine.get(number) ?? [];
  }

  answer(id: string, action: 'approve' | 'decline', pin?: string): AnswerOutcome {
    const open = this.#open.get(id);
    if (!open) return this.#byId.has(id) ? 'already answered' : 'unknown';
    if (action === 'approve' && pin !== undefined) {
      const account = this.#wallets.account(open.prompt.provider, open.prompt.number);
      const verdict = account ? this.#wallets.checkPin(account, pin) : 'locked';
      if (verdict !== 'right' && open.request.onWrongPin) this.#settle(id, verdict);
      else if (verdict === 'locked') this.#settle(id, 'decline');
      if (verdict !== 'right') return verdict === 'wrong' ? 'wrong PIN' : 'wallet locked';
    }
    this.#settle(id, action);
    return 'done';
  }

  reset(): void {
    for (const { timer } of this.#open.values()) clearTimeout(timer);
    this.#open.clear();
    this.#byId.clear();
    this.#byLine.clear();
  }

  #answerByItself(id: string, behaviour: PushBehaviour): NodeJS.Timeout {
    const expiresFirst = behaviour === 'silent' || this.#approveAfterMs >= this.#expiryMs;
    if (expiresFirst) return setTimeout(() => this.#settle(id, 'expire'), this.#expiryMs);
    const action = behaviour === 'declines' ? 'decline' : 'approve';
    return setTimeout(() => this.#settle(id, action), this.#approveAfterMs);
  }

  #settle(id: string, action: 'approve' | 'decline' | 'expire' | 'wrong' | 'locked'): void {
    const open = this.#open.get(id);
    if (!open) return;
    this.#open.delete(id);
    clearTimeout(open.timer);
    const { prompt, request } = open;
    if (action === 'approve') {
      prompt.state = request.onApproved() ? 'approved' : 'failed';
    } else if (action === 'decline') {
      prompt.state = 'declined';
      request.onDeclined();
    } else if (action === 'wrong' || action === 'locked') {
      prompt.state = 'declined';
      request.onWrongPin?.(action);
    } else {
      prompt.state = 'expired';
      request.onExpired();
    }
  }

  #store(prompt: Prompt): void {
    this.#byId.set(prompt.id, prompt);
    const list = this.#byLine.get(prompt.number) ?? [];
    this.#byLine.set(prompt.number, list);
    list.unshift(prompt);
    const oldest = list.length > mostPerLine ? list.findLastIndex((kept) => kept.state !== 'pending') : -1;
    if (oldest >= 0) for (const dropped of list.splice(oldest, 1)) this.#byId.delete(dropped.id);
  }
}
