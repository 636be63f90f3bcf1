import * as errorCodes from '@portal/contract/error-codes.ts';
import { type FormEvent, useEffect, useState } from 'react';
import { useToast } from '../../features/toast/use-toast.ts';
import { messageOr } from '../../lib/api.ts';
import { formError, usePage } from '../../lib/page.tsx';
import { session } from '../../lib/session.ts';
import { Button } from '../../ui/button.tsx';
import styles from './help.module.css';
import { ThumbDownIcon, ThumbUpIcon } from './help-icon.tsx';
import { rememberFaq } from './use-help.ts';

type Voted = 'not' | 'sending' | 'yes' | 'again';

const votedIn = (text: string | undefined): Voted => (text === 'yes' || text === 'again' ? text : 'not');

/** Helpful or not, once. A real form, so that it works before hydration. */
export function Vote({ questionId, percent }: { questionId: string; percent: number }) {
  const page = usePage();
  const { t, api, operator, language } = page;
  const [voted, setVoted] = useState<Voted>(votedIn(page.query.voted));
  const [shown, setShown] = useState(percent);
  const toast = useToast();
  // A vote stays visible after a reload.
  useEffect(() => {
    if (session.votes.has(questionId)) setVoted((before) => (before === 'not' ? 'again' : before));
  }, [questionId]);

  async function vote(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    const isLike = submitter?.getAttribute('value') === 'true';
    setVoted('sending');
    const answer = await api('vote', { body: { questionId, isLike, opco: operator.opco } });
    if (!answer.ok && answer.code !== errorCodes.alreadyVoted) {
      toast.error(messageOr(answer, t('help.voteFailed')));
      return setVoted('not');
    }
    const again = await api('faqs', { query: { opco: operator.opco, questionId } });
    const [fresh] = again.ok ? again.result : [];
    session.votes.add(questionId);
    // Shown together with the thanks: the percentage before the vote is outdated.
    setVoted(answer.ok ? 'yes' : 'again');
    setShown(fresh?.countLikePercentage ?? (answer.ok ? answer.result.countLikePercentage : percent));
    if (fresh) rememberFaq(language.code, fresh);
  }

  const isOver = voted === 'yes' || voted === 'again';
  const error = formError(page.form, 'form', t);
  return (
    <section className={styles.vote} aria-labelledby="vote">
      <h2 id="vote">{t('help.helpful')}</h2>
      {!isOver && (
        <form method="post" className={styles.thumbs} onSubmit={vote}>
          <Button type="submit" name="isLike" value="true" kind="secondary" busy={voted === 'sending'}>
            <ThumbUpIcon />
            {t('help.yes')}
          </Button>
          <Button type="submit" name="isLike" value="false" kind="secondary" busy={voted === 'sending'}>
            <ThumbDownIcon />
            {t('help.no')}
          </Button>
        </form>
      )}
      <div role="status" className={styles.said}>
        {voted === 'yes' && <p className={styles.thanks}>{t('help.thanks')}</p>}
        {voted === 'again' && <p className={styles.thanks}>{t('help.already')}</p>}
        {!isOver && error && <p className={styles.failed}>{error}</p>}
        {(isOver || shown > 0) && <p className="figures">{t('help.percent', { percent: shown })}</p>}
      </div>
    </section>
  );
}
