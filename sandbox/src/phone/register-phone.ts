import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SandboxContext } from '../context.ts';
import { FaultInputError } from '../faults/fault-board.ts';
import { asRecord, asText } from '../wire/json-fields.ts';
import { answerProblems, registerPhoneApi } from './phone-api.ts';
import { type Notice, phonePage } from './phone-page.ts';

const firstLine = '390000001';

export function registerPhone(app: FastifyInstance, context: SandboxContext): void {
  registerPhoneApi(app, context);

  app.register(
    async (scope) => {
      scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
        done(null, Object.fromEntries(new URLSearchParams(body.toString()))),
      );

      scope.get('/', async (request, reply) => {
        const wanted = asText(asRecord(request.query).line) ?? firstLine;
        const number = context.numbers.line(wanted);
        const text = `${wanted} is not a number: it needs ${digitWords(context.numbers.length)}.`;
        const notice = { text, isProblem: true };
        return sendPage(reply, context, number ?? firstLine, number === undefined ? notice : undefined);
      });

      // Posts answer with the page itself, so that they work with and without script.
      const post = (path: string, act: (request: FastifyRequest) => Notice) =>
        scope.post(path, async (request, reply) => sendPage(reply, context, shownLine(request, context), act(request)));

      post('/prompts/:id', (request) => {
        const { action, pin } = asRecord(request.body);
        const id = asText(asRecord(request.params).id) ?? '';
        if (action !== 'approve' && action !== 'decline') {
          return { text: 'Choose to approve or to decline.', isProblem: true };
        }
        const outcome = context.state.prompts.answer(id, action, asText(pin));
        if (outcome !== 'done') return { text: answerProblems[outcome].message, isProblem: true };
        return { text: action === 'approve' ? 'Approved.' : 'Declined.', isProblem: false };
      });

      post('/faults', (request) => {
        try {
          const fault = context.faults.add(faultFromForm(asRecord(request.body)));
          return { text: `From now on: ${fault.provider} ${fault.fault}.`, isProblem: false };
        } catch (error) {
          if (error instanceof FaultInputError) return { text: error.message, isProblem: true };
          throw error;
        }
      });

      post('/faults/clear', () => {
        context.faults.clear();
        return { text: 'Faults cleared.', isProblem: false };
      });

      post('/reset', () => {
        context.state.reset();
        return { text: 'Everything is as at the start.', isProblem: false };
      });

      const [css, script] = await Promise.all(['phone.css', 'phone.js'].map(readAsset));
      scope.get('/phone.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(css));
      scope.get('/phone.js', async (_request, reply) => reply.type('text/javascript; charset=utf-8').send(script));
    },
    { prefix: '/sandbox' },
  );
}

function sendPage(reply: FastifyReply, context: SandboxContext, number: string, notice: Notice | undefined) {
  return reply
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(phonePage(context, number, notice));
}

const digitWords = (length: number) => (length === 9 ? 'nine digits' : `${length} digits`);

function shownLine(request: FastifyRequest, { numbers }: SandboxContext): string {
  return numbers.line(asText(asRecord(request.query).line) ?? '') ?? firstLine;
}

function faultFromForm(form: Record<string, unknown>): Record<string, unknown> {
  const number = (value: unknown) => (asText(value) === undefined ? undefined : Number(value));
  return { ...form, times: number(form.times), rate: number(form.rate), delayMs: number(form.delayMs) };
}

function readAsset(name: string): Promise<string> {
  return readFile(new URL(name, import.meta.url), 'utf8');
}
