import { languageOfPath } from '@portal/domain/language.ts';
import { paths } from '@portal/domain/paths.ts';
import { type MouseEvent, memo, Suspense, useEffect, useEffectEvent } from 'react';
import { type Failure, messageOr } from '../../lib/api.ts';
import { Link } from '../../lib/link.tsx';
import { usePage } from '../../lib/page.tsx';
import { cleanedHtml } from '../../lib/trusted.ts';
import { deferred } from '../../loading/deferred.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { ArrowLeftIcon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './help.module.css';
import { CategoryIcon } from './help-icon.tsx';
import { type Answer, byWant, type Crumb, type Entry, type HelpView, type Place, stageAbove } from './help-model.ts';

// The vote is lazy, because an answer is read before it is rated.
const load = () => import('./vote.tsx').then(({ Vote }) => Vote);
const Vote = import.meta.env.SSR ? await load() : deferred(load);

type Stage<S extends HelpView['stage']> = Extract<HelpView, { stage: S }>;

export function Start({ view }: { view: Stage<'start'> }) {
  const { t } = usePage();
  if (view.categories.length === 0) return <p className={styles.lead}>{t('help.empty')}</p>;
  return (
    <>
      {view.fears.length > 0 && <Fears fears={view.fears} />}
      <nav aria-labelledby="categories" className={styles.wants}>
        <h2 id="categories">{t('help.categories')}</h2>
        {byWant(view.categories).map(({ want, categories }) => (
          <div key={want}>
            <h3>{t(`help.want.${want}`)}</h3>
            <ul className={styles.categories}>
              {categories.map(({ id, name, target }) => (
                <li key={id}>
                  <Link href={target} className={styles.category}>
                    <CategoryIcon id={id} />
                    <span>{name}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <Questions title={t('help.popular')} questions={view.popular} />
    </>
  );
}

/** Money first: finding a payment, and the three questions about missing money. */
function Fears({ fears }: { fears: readonly Entry[] }) {
  const { t } = usePage();
  return (
    <section className={styles.fears} aria-labelledby="fears">
      <h2 id="fears">{t('help.fears')}</h2>
      <ButtonLink as={Link} href={paths.paymentStatus} kind="secondary">
        {t('common.paymentStatus')}
      </ButtonLink>
      <QuestionList questions={fears} />
    </section>
  );
}

export function Category({ view }: { view: Stage<'category'> }) {
  const { t } = usePage();
  return (
    <>
      <Way view={view} here={view.name} />
      <h1>{view.name}</h1>
      {view.topics.length > 0 && <Places places={view.topics} />}
      {view.questions.length > 0 && <QuestionList questions={view.questions} />}
      {view.popular.length > 0 && <Questions title={t('help.popularHere')} questions={view.popular} />}
      {view.related.length > 0 && (
        <section aria-labelledby="related">
          <h2 id="related">{t('help.relatedTopics')}</h2>
          <Places places={view.related} />
        </section>
      )}
    </>
  );
}

export function AnswerStage({ view }: { view: Stage<'answer'> }) {
  const { t } = usePage();
  const { answer, crumbs, related } = view;
  return (
    <>
      <Way view={view} />
      <article className={styles.article}>
        <p className={styles.lead}>{crumbs.at(-1)?.name}</p>
        <h1>{answer.question}</h1>
        <AnswerText answer={answer} />
      </article>
      <Suspense>
        <Vote key={answer.id} questionId={answer.id} percent={answer.percent} />
      </Suspense>
      <StillNeedHelp />
      {related.length > 0 && <Questions title={t('help.relatedQuestions')} questions={related} />}
    </>
  );
}

/** A category that is another page: with script it redirects at once, without script it shows a link. */
export function Elsewhere({ view }: { view: Stage<'elsewhere'> }) {
  const page = usePage();
  const leave = useEffectEvent((target: string) => page.navigate(target, { replace: true }));
  useEffect(() => leave(view.target), [view.target]);
  return (
    <>
      <Way view={view} here={view.name} />
      <h1>{view.name}</h1>
      <ButtonLink as={Link} href={view.target}>
        {page.t('help.open', { name: view.name })}
      </ButtonLink>
    </>
  );
}

/** Without script to retry, the link loads the page again. */
export function NotFetched({ failure, onRetry }: { failure: Failure | null; onRetry(): void }) {
  const { t, href, path } = usePage();
  return (
    <Notice
      kind="failure"
      role="alert"
      title={failure ? messageOr(failure, t('help.failed')) : t('help.failed')}
      action={
        <ButtonLink
          href={href(path)}
          kind="secondary"
          onClick={(event) => {
            event.preventDefault();
            onRetry();
          }}
        >
          {t('common.tryAgain')}
        </ButtonLink>
      }
    />
  );
}

export function StillNeedHelp() {
  const { t, operator } = usePage();
  const { number } = operator.care;
  if (!operator.features.storeFinder && !operator.features.contactSection) return null;
  return (
    <section className={styles.still} aria-labelledby="still">
      <h2 id="still">{t('help.still')}</h2>
      <div className={styles.ways}>
        {operator.features.storeFinder && (
          <ButtonLink as={Link} href={paths.storeLocatorAlias} kind="secondary">
            {t('help.findStore')}
          </ButtonLink>
        )}
        {operator.features.contactSection && (
          <a className={styles.call} href={`tel:${number}`}>
            {t('help.call', { care: number })}
          </a>
        )}
      </div>
    </section>
  );
}

/** Back by one stage, and the breadcrumbs. */
function Way({ view, here }: { view: HelpView & { crumbs: Crumb[] }; here?: string }) {
  const { t } = usePage();
  return (
    <div className={styles.way}>
      <Link href={stageAbove(view) ?? paths.help} className={styles.back}>
        <ArrowLeftIcon />
        {t('common.back')}
      </Link>
      <nav aria-label={t('help.breadcrumbs')}>
        <ol className={styles.crumbs}>
          {[{ name: t('common.help'), path: paths.help }, ...view.crumbs].map(({ name, path }) => (
            <li key={path}>
              <Link href={path}>{name}</Link>
            </li>
          ))}
          {here && <li aria-current="page">{here}</li>}
        </ol>
      </nav>
    </div>
  );
}

function AnswerText({ answer }: { answer: Answer }) {
  const page = usePage();

  /** The links in an answer are plain HTML; with script they navigate without a page load. */
  function follow(event: MouseEvent<HTMLDivElement>) {
    const link = (event.target as Element).closest('a');
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain || link.origin !== window.location.origin) return;
    event.preventDefault();
    page.navigate(languageOfPath(link.pathname, page.operator.languages).path + link.search);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the links inside are the controls
    // biome-ignore lint/a11y/useKeyWithClickEvents: a link fires click for the keyboard too
    <div
      className={styles.answer}
      onClick={follow}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by the server
      dangerouslySetInnerHTML={cleanedHtml(answer.html)}
    />
  );
}

function Places({ places }: { places: readonly Place[] }) {
  return (
    <ul className={styles.list}>
      {places.map(({ id, name, target }) => (
        <li key={id}>
          <Link href={target}>
            <span>{name}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Questions({ title, questions }: { title: string; questions: readonly Entry[] }) {
  return (
    <section className={styles.questions} aria-label={title}>
      <h2>{title}</h2>
      <QuestionList questions={questions} />
    </section>
  );
}

export function QuestionList({ questions }: { questions: readonly Entry[] }) {
  return (
    <ul className={styles.list}>
      {questions.map(({ question, path }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: reusing a row for the next question is faster than mounting one
        <QuestionRow key={index} question={question} path={path} />
      ))}
    </ul>
  );
}

/** Memoised: does not render while typing. */
const QuestionRow = memo(function QuestionRow({ question, path }: Pick<Entry, 'question' | 'path'>) {
  return (
    <li>
      <Link href={path}>{question}</Link>
    </li>
  );
});
