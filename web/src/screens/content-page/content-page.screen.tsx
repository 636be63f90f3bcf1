import { useEffect, useEffectEvent, useState } from 'react';
import { useToast } from '../../features/toast/use-toast.ts';
import { usePage } from '../../lib/page.tsx';
import type { ScreenProps } from '../../lib/screen.ts';
import { cleanedHtml } from '../../lib/trusted.ts';
import { Card } from '../../ui/card.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import styles from './content-page.module.css';
import { type ContentPageLoaded, loadContentPage } from './content-page.ts';

/** A page of the operator's own words. */
export function Screen({ loaded }: ScreenProps<ContentPageLoaded>) {
  const { t, operator } = usePage();
  const found = useContentPage(loaded);
  if (!found) return <Skeleton height={480} />;
  const { content, refusal } = found;
  if (content === null)
    return (
      <Notice kind="info" large role="status" title={<h1>{t('common.contentMissing')}</h1>}>
        {refusal && <p>{refusal}</p>}
        {t('common.contentMissingText', { care: operator.care.number })}
      </Notice>
    );
  return (
    <article className={styles.page}>
      <h1>{content.title}</h1>
      <Card>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the server lets through a short list of harmless tags */}
        <div className={styles.prose} dangerouslySetInnerHTML={cleanedHtml(content.html)} />
      </Card>
    </article>
  );
}

/** Undefined while it is asked for. */
function useContentPage(loaded: ContentPageLoaded | undefined): ContentPageLoaded | undefined {
  const { api, operator, language, path } = usePage();
  const tell = useEffectEvent(useToast().failed);
  const [found, setFound] = useState(loaded);
  const isHere = found?.language === language.code && found.path === path;
  useEffect(() => {
    if (isHere) return;
    const abort = new AbortController();
    loadContentPage(api, { operator, language, path }, abort.signal, tell).then((answer) => {
      if (!abort.signal.aborted) setFound(answer);
    });
    return () => abort.abort();
  }, [api, operator, language, path, isHere]);
  return isHere ? found : undefined;
}
