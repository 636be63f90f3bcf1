import type { FastifyInstance } from 'fastify';
import { CallbackBaseError } from '../callbacks/callback-sender.ts';
import type { SandboxContext } from '../context.ts';
import { FaultInputError } from '../faults/fault-board.ts';
import type { AnswerOutcome } from '../state/prompts.ts';
import { asRecord, asText, parseJson } from '../wire/json-fields.ts';

/** A request that is answered with a sentence instead of what it asked for. */
class ApiProblem extends Error {
  readonly httpStatus: number;

  constructor(httpStatus: number, message: string) {
    super(message);
    this.httpStatus = httpStatus;
  }
}

export const answerProblems: Record<Exclude<AnswerOutcome, 'done'>, { httpStatus: number; message: string }> = {
  unknown: { httpStatus: 404, message: 'There is no such payment request.' },
  'already answered': { httpStatus: 409, message: 'This payment request was already answered or has expired.' },
  'wrong PIN': { httpStatus: 422, message: 'The PIN is wrong.' },
  'wallet locked': { httpStatus: 423, message: 'The wallet is locked after too many wrong PINs.' },
};

/** The same as the page, as JSON: tests and load generators read and steer the outside world here. */
export function registerPhoneApi(app: FastifyInstance, context: SandboxContext): void {
  const { state, faults, callbacks } = context;

  app.register(
    async (scope) => {
      // Clients that always name JSON as their type also send it with no body at all.
      scope.removeContentTypeParser('application/json');
      scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
        done(null, body.length === 0 ? undefined : parseJson(body)),
      );

      scope.setErrorHandler((error, _request, reply) => {
        if (error instanceof ApiProblem) return reply.code(error.httpStatus).send({ message: error.message });
        if (error instanceof FaultInputError || error instanceof CallbackBaseError) {
          return reply.code(422).send({ message: error.message });
        }
        const status = asRecord(error).statusCode;
        if (typeof status === 'number' && status < 500) {
          return reply.code(422).send({ message: 'The body must be JSON of the shape this call wants.' });
        }
        return reply.code(500).send({ message: 'The sandbox failed.' });
      });

      scope.get<NumberRoute>('/lines/:number', async (request) => {
        const line = state.line(requireNumber(request.params.number, context));
        if (!line) throw new ApiProblem(404, 'This number is not a line of the operator.');
        return describeLine(context, line.number);
      });

      scope.get<NumberRoute>('/lines/:number/messages', async (request) =>
        state.messages.list(requireNumber(request.params.number, context)),
      );

      scope.get<NumberRoute>('/lines/:number/prompts', async (request) =>
        state.prompts.list(requireNumber(request.params.number, context)),
      );

      scope.post<{ Params: { id: string } }>('/prompts/:id', async (request, reply) => {
        const { action, pin } = asRecord(request.body);
        if (action !== 'approve' && action !== 'decline') {
          throw new ApiProblem(422, 'action must be approve or decline.');
        }
        if (pin !== undefined && typeof pin !== 'string') throw new ApiProblem(422, 'pin must be text.');
        const outcome = state.prompts.answer(request.params.id, action, pin);
        if (outcome !== 'done') {
          const { httpStatus, message } = answerProblems[outcome];
          throw new ApiProblem(httpStatus, message);
        }
        return reply.code(204).send();
      });

      scope.post<{ Params: { billNo: string } }>('/bills/:billNo/settle', async (request, reply) => {
        const bill = state.accounts.bill(request.params.billNo);
        if (!bill) throw new ApiProblem(404, 'There is no such bill.');
        bill.remaining = 0;
        return reply.code(204).send();
      });

      scope.get('/mail', async (request) => state.mails.list(asText(asRecord(request.query).to)));

      scope.get('/faults', async () => faults.list());
      scope.post('/faults', async (request, reply) => {
        faults.add(request.body);
        return reply.code(204).send();
      });
      scope.delete('/faults', async (_request, reply) => {
        faults.clear();
        return reply.code(204).send();
      });

      /** The rate as it is from now on, so that a payment page holds an older one. */
      scope.post('/exchange-rate', async (request, reply) => {
        const { rate } = asRecord(request.body);
        if (typeof rate !== 'number') throw new ApiProblem(422, 'rate must be a number.');
        state.exchangeRate = rate;
        return reply.code(204).send();
      });

      scope.get('/books', async () => state.books.snapshot());

      scope.post('/reset', async (_request, reply) => {
        state.reset();
        return reply.code(204).send();
      });

      scope.post('/callback-base', async (request, reply) => {
        callbacks.setBase(asText(asRecord(request.body).url) ?? '');
        return reply.code(204).send();
      });
    },
    { prefix: '/sandbox/api' },
  );
}

interface NumberRoute {
  Params: { number: string };
}

export function describeLine(context: SandboxContext, number: string) {
  const { state } = context;
  const line = state.line(number);
  if (!line) return undefined;
  const prepaid = state.balances.prepaid(number);
  const wallet = state.wallets.account('wallet', number);
  const account = state.accounts.ofLine(number);
  return {
    number,
    lineType: line.lineType,
    broadband: line.broadband,
    airtime: prepaid?.available ?? null,
    reserved: prepaid?.reserved ?? 0,
    wallet: wallet?.balance ?? null,
    ...(context.settings.secondCurrency ? { secondWallet: wallet?.secondBalance ?? null } : {}),
    walletLocked: wallet?.locked ?? false,
    bundles: state.balances.bundles(number),
    account: line.account,
    outstanding: account ? state.accounts.outstanding(account) / 100 : line.outstanding,
  };
}

function requireNumber(text: string, { numbers }: SandboxContext): string {
  const number = numbers.line(text);
  if (number === undefined)
    throw new ApiProblem(404, `A number has ${numbers.length} digits, with or without the leading 0.`);
  return number;
}
