import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SandboxContext } from '../context.ts';
import type { FaultableCall, RequestFault } from './fault-board.ts';

const defaultHoldMs = 30_000;

/** The fault that a handler has to act out; faults of the transport are handled outside it. */
export interface HandlerStrike {
  refused: boolean;
  kind: RequestFault | undefined;
  delayMs: number | undefined;
}

export type FaultableHandler = (
  request: FastifyRequest,
  reply: FastifyReply,
  strike: HandlerStrike,
) => unknown | Promise<unknown>;

/** Closes the connection without a response, like a network that fails after the request arrived. */
export function dropConnection(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.hijack();
  request.raw.socket.destroy();
  return reply;
}

async function holdFor(context: SandboxContext, delayMs: number): Promise<void> {
  await sleep(delayMs, undefined, { signal: context.stopping }).catch(() => undefined);
}

const textOf = ({ url, body }: FastifyRequest) =>
  `${url} ${Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body ?? '')}`;

/** Wraps a provider's call to inject faults; the handler returns its response and never sends it. */
export function withFaults(context: SandboxContext, call: FaultableCall, handler: FaultableHandler) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const strike = context.faults.strikeRequest(call, textOf(request));
    if (strike?.kind === 'timeout') {
      await holdFor(context, strike.delayMs ?? defaultHoldMs);
      return dropConnection(request, reply);
    }
    if (strike?.kind === 'error500' || (strike?.kind === 'refuse' && !call.moves)) {
      reply.code(500);
      return { message: 'The provider failed (fault injected).' };
    }
    const answer = await handler(request, reply, {
      refused: strike?.kind === 'refuse',
      kind: strike?.kind,
      delayMs: strike?.delayMs,
    });
    if (strike?.kind === 'loseAnswer') {
      if (strike.delayMs !== undefined) await holdFor(context, strike.delayMs);
      return dropConnection(request, reply);
    }
    return answer;
  };
}
