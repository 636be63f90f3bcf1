import { paths } from '@portal/domain/paths.ts';
import { useEffect, useState } from 'react';
import { CareLine } from '../../features/care-line/care-line.tsx';
import { useHydrated } from '../../lib/hydrated.ts';
import { Link } from '../../lib/link.tsx';
import { usePage } from '../../lib/page.tsx';
import type { ScreenProps } from '../../lib/screen.ts';
import { keepAnswer } from '../../offline/keep-answer.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import styles from './help.module.css';
import type { HelpLoaded } from './help.server.ts';
import { type HelpView, titleOfView, viewAt } from './help-model.ts';
import { AnswerStage, Category, Elsewhere, NotFetched, Start, StillNeedHelp } from './help-stages.tsx';
import { SearchBox } from './search-box.tsx';
import { faqsKept, useFaqs } from './use-help.ts';

/** The four stages are URLs: each can be shared, and Back leads one stage up. */
export function Screen({ loaded }: ScreenProps<HelpLoaded>) {
  const { t, path, language, operator } = usePage();
  const [first] = useState(loaded ?? null);
  const isFirst = first?.language === language.code && first.path === path;
  const needed = isFirst && first.view ? [] : [language.code];
  const { failed, retry } = useFaqs(needed);
  const hydrated = useHydrated();
  const faqs = faqsKept(language.code);
  const view = faqs ? viewAt(faqs, path, operator) : isFirst ? first.view : null;
  const isMissing = failed !== null || (!hydrated && isFirst && first.view === null);
  const title = view ? titleOfView(view) : undefined;

  useEffect(() => {
    if (title) document.title = `${title} · ${operator.brand.name}`;
  }, [title, operator]);

  useEffect(() => keepAnswer('faqs', { opco: operator.opco }, language.code), [operator, language]);

  const isStart = path === paths.help;
  return (
    <div className={styles.page} data-stage={view?.stage}>
      {isStart && (
        <div className={styles.head}>
          <h1>{t('help.heading')}</h1>
          <CareLine />
        </div>
      )}
      <SearchBox found={isFirst ? first.found : null}>
        {view && <Stage view={view} />}
        {!view && isMissing && <NotFetched failure={failed} onRetry={retry} />}
        {!view && !isMissing && <Skeleton height={48} lines={8} />}
      </SearchBox>
      {view?.stage !== 'answer' && <StillNeedHelp />}
    </div>
  );
}

function Stage({ view }: { view: HelpView }) {
  const { t } = usePage();
  switch (view.stage) {
    case 'start':
      return <Start view={view} />;
    case 'category':
      return <Category view={view} />;
    case 'answer':
      return <AnswerStage view={view} />;
    case 'elsewhere':
      return <Elsewhere view={view} />;
    case 'unknown':
      return (
        <>
          <h1>{t('help.unknown')}</h1>
          <Notice
            kind="info"
            title={t('help.unknownText')}
            action={
              <ButtonLink as={Link} href={paths.help} kind="secondary">
                {t('help.toStart')}
              </ButtonLink>
            }
          />
        </>
      );
  }
}
