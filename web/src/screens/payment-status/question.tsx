import { paths, withQuery } from '@portal/domain/paths.ts';
import { ticketText } from '@portal/domain/ticket.ts';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useHydrated } from '../../lib/hydrated.ts';
import { formError, useFormats, usePage } from '../../lib/page.tsx';
import { usePolling } from '../../lib/use-polling.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { useEarlyInput } from '../../ui/early-input.ts';
import { controlProps, FieldFrame } from '../../ui/field-frame.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './question.module.css';
import type { TicketView } from './status-words.ts';

interface Props {
  id: string;
  isFinal: boolean;
  first: TicketView | undefined;
}

type Ticket = NonNullable<TicketView['ticket']>;

/** An answer may take hours, so it is polled slowly. */
const lookMs = 30_000;

/** The ticket about this payment, without an account: what was written, what was answered, and a form. */
export function Question({ id, isFinal, first }: Props) {
  const { t, api, query, operator, navigate, href } = usePage();
  const hydrated = useHydrated();
  const [view, setView] = useState(first);
  const [isSent, setSent] = useState(query.sent === '1');
  const key = view?.ticket?.key ?? query.ticket;
  const { sent, ticket: opened } = query;
  useEffect(() => {
    // Shown once: after a reload the page must not claim that something was sent again.
    if (sent === '1') navigate(withQuery(paths.paymentStatus, { id, ticket: opened }), { replace: true, stay: true });
  }, [sent, opened, id, navigate]);
  const about = { tid: id, ...(key ? { key } : {}) };
  const isOver = view !== undefined && view.ticket === null && (view.mayWrite || isFinal);
  usePolling(
    isOver ? null : JSON.stringify(about),
    async (signal) => {
      const answer = await api('ticket', { query: about, signal });
      if (answer.ok && !signal.aborted) setView(answer.result);
      return lookMs;
    },
    view ? lookMs : 0,
  );

  async function send(text: string): Promise<string | null> {
    const answer = await api('writeTicket', { body: { ...about, text } });
    if (!answer.ok) return answer.message;
    setView(answer.result);
    setSent(true);
    // The link reopens the ticket when this browser has forgotten that it paid.
    const ticket = answer.result.ticket?.key;
    navigate(withQuery(paths.paymentStatus, { id, ticket }), { replace: true, stay: true });
    return null;
  }

  if (!view) return null;
  const { ticket, mayWrite } = view;
  if (!ticket && !mayWrite) return null;
  // Without script a page that is not final reloads itself every few seconds, so the form is on a page that does not.
  const label = t(ticket?.key ? 'status.ticket.writeBack' : 'status.ticket.message');
  const isAnswered = ticket?.messages.at(-1)?.author === 'care';
  const isWritable = mayWrite && (hydrated || isFinal || query.ask === '1');
  return (
    <Card id="question" aria-labelledby="question-title">
      <h2 id="question-title">
        {ticket ? t('status.ticket.yours', { number: ticket.number }) : t('status.ticket.title')}
      </h2>
      {ticket ? <Conversation ticket={ticket} isReader={ticket.key !== undefined} /> : <p>{t('status.ticket.lead')}</p>}
      {!ticket && <p>{t('status.ticket.promise', { hours: operator.care.answerHours })}</p>}
      <div role="status">{isSent && !isAnswered && <Notice kind="success" title={t('status.ticket.sent')} />}</div>
      {isWritable && <Writing label={label} send={send} />}
      {mayWrite && !isWritable && (
        <ButtonLink
          href={href(`${withQuery(paths.paymentStatus, { id, ticket: key, ask: '1' })}#question`)}
          kind="secondary"
        >
          {label}
        </ButtonLink>
      )}
    </Card>
  );
}

function Conversation({ ticket, isReader }: { ticket: Ticket; isReader: boolean }) {
  const { t, operator } = usePage();
  const formats = useFormats();
  const { state, promisedAt, isLate, messages } = ticket;
  const isOurs = state === 'new' || state === 'waitingForUs';
  return (
    <>
      <p data-ticket={state}>
        <strong>{t(`status.ticket.${state}`)}</strong>
      </p>
      {isOurs && (
        <p>
          {isLate
            ? t('status.ticket.late', { care: operator.care.number })
            : t('status.ticket.by', { time: formats.dateTime(promisedAt) })}
        </p>
      )}
      {!isReader && <p>{t('status.ticket.elsewhere')}</p>}
      {messages.length > 0 && (
        <ol className={styles.messages}>
          {messages.map(({ at, author, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a conversation only grows at its end
            <li key={index} data-author={author}>
              <p className={styles.author}>
                <strong>{author === 'portal' ? operator.brand.name : t(`status.ticket.author.${author}`)}</strong>{' '}
                <time dateTime={at}>{formats.dateTime(at)}</time>
              </p>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      )}
      {state === 'solved' && <p>{t('status.ticket.again')}</p>}
    </>
  );
}

function Writing({ label, send }: { label: string; send: (text: string) => Promise<string | null> }) {
  const { t, form } = usePage();
  const [text, setText] = useState(form?.values.text ?? '');
  const [error, setError] = useState(formError(form, 'text', t));
  const [isSending, setSending] = useState(false);
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  useEarlyInput(box);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isSending) return;
    if (text.trim().length < ticketText.least) {
      setError(t('status.ticket.short'));
      box.current?.focus();
      return;
    }
    setSending(true);
    const problem = await send(text.trim());
    setSending(false);
    setError(problem ?? undefined);
    if (!problem) setText('');
  }

  return (
    <form method="post" noValidate onSubmit={submit} className={styles.form}>
      <FieldFrame id={id} label={label} hint={t('status.ticket.hint')} error={error}>
        <textarea
          ref={box}
          {...controlProps(id, error)}
          name="text"
          rows={3}
          maxLength={ticketText.most}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          className={styles.text}
        />
      </FieldFrame>
      <Button type="submit" kind="secondary" busy={isSending}>
        {t('status.ticket.send')}
      </Button>
    </form>
  );
}
