import { useToast } from '../../features/toast/use-toast.ts';
import { usePage } from '../../lib/page.tsx';
import type { ScreenProps } from '../../lib/screen.ts';
import { cleanedHtml } from '../../lib/trusted.ts';
import { type Loadable, useCall } from '../../lib/use-call.ts';
import { Card } from '../../ui/card.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import styles from './content-page.module.css';
import { type ContentPage, contentPageKey, fetchContentPage } from './content-page.ts';

export { load } from './content-page.ts';

/** A page with content of the operator. */
export function Screen({ loaded }: ScreenProps<Loadable<ContentPage>>) {
  const page = usePage();
  const { t, operator } = page;
  const call = useCall(contentPageKey(page), (signal) => fetchContentPage(page.api, page, signal), {
    initial: loaded,
    onFailed: useToast().failed,
  });
  if (call.state === 'failed')
    return (
      <Notice kind="info" large role="status" title={<h1>{t('common.contentMissing')}</h1>}>
        {call.failure.isSaid && <p>{call.failure.message}</p>}
        {t('common.contentMissingText', { care: operator.care.number })}
      </Notice>
    );
  if (call.state !== 'loaded') return <Skeleton height={480} />;
  const content = call.result;
  return (
    <article className={styles.page}>
      <h1>{content.title}</h1>
      <Card>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by the server with an allowlist */}
        <div className={styles.prose} dangerouslySetInnerHTML={cleanedHtml(content.html)} />
      </Card>
    </article>
  );
}
